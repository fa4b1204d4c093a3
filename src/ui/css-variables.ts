import type { CSSProperties } from 'react'

/** CSS custom properties for a style attribute. React's type does not include them. */
export const cssVariables = (variables: Record<`--${string}`, string>): CSSProperties => variables as CSSProperties
