import { FailedLine } from '../page/failed-read.tsx'
import { type About, Announced } from './announced.tsx'
import { useTerms } from './use-terms.ts'

/** The announced changes, for a page that does not read the terms itself. */
export function TermsNotice({ about, className }: { about: About; className?: string }) {
  const { terms, announced, error } = useTerms()
  if (error && !terms) return <FailedLine error={error} />
  return <Announced announced={announced} about={about} {...(className !== undefined && { className })} />
}
