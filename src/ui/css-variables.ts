import type { CSSProperties } from 'react'

/** Custom properties for a style attribute, which React's own type does not know. */
export const cssVariables = (variables: Record<`--${string}`, string>): CSSProperties => variables as CSSProperties
