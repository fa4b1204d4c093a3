import { brand } from '../../protocol/brand.ts'

export function LandingPage() {
  return (
    <main tabIndex={-1}>
      <h1>{brand.tagline}</h1>
    </main>
  )
}
