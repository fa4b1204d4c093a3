import { CalendarClock } from 'lucide-react'
import type { Announcement, TermName } from '../../../protocol/terms.ts'
import { announcementLine, changeSentence, termsDateText } from '../../../protocol/terms-words.ts'

/** Which terms each page is about. */
const termsByPage = {
  plans: ['tiers', 'planAmountMin', 'planAmountMax', 'healthSharePercent'],
  withdrawals: [
    'withdrawalFeePercent',
    'withdrawalMin',
    'outflowDailyMax',
    'withdrawalAutomaticMax',
    'withdrawalAutomaticDailyMax',
    'withdrawalAutomaticProductDailyMax',
    'referralMatureDays',
  ],
  transfers: ['transferMin', 'transferMax', 'transferUnsignedDailyMax', 'referralMatureDays'],
  referrals: ['uplinePercents', 'colourUplinePermille', 'ranks', 'referralMatureDays'],
  colour: [
    'colourBetMin',
    'colourBetMax',
    'colourRoundSeconds',
    'colourBettingSeconds',
    'colourResultSeconds',
    'colourQuickStakes',
  ],
  health: ['healthSharePercent', 'healthReleaseMin', 'healthChallengesMin', 'healthWindowDays'],
} as const satisfies Record<string, TermName[]>
export type About = keyof typeof termsByPage

/** What a change does not touch, where users may wonder. */
const keptByPage: Partial<Record<About, string>> = {
  plans: 'Plans you hold by then keep their rate and term.',
  referrals: 'Rewards you have earned by then stay as they are.',
}

type AnnouncedProps = { announced: readonly Announcement[]; about: About; className?: string }

/** Says in advance how the terms of a page change, and when. Renders nothing if they do not. */
export function Announced({ announced, about, className = 'mb-5' }: AnnouncedProps) {
  const names: readonly TermName[] = termsByPage[about]
  const relevant = announced
    .map((each) => ({ ...each, changes: each.changes.filter(({ term }) => names.includes(term)) }))
    .filter(({ changes }) => changes.length > 0)
  if (relevant.length === 0) return null
  return (
    <section
      aria-label="Announced changes"
      className={`flex items-start gap-3 rounded-card bg-sky-tint px-5 py-4 text-sky-ink ${className}`}
    >
      <CalendarClock className="mt-0.5 shrink-0" size={20} aria-hidden="true" />
      <div className="grid gap-2">
        {relevant.map((announcement) => (
          <Changes key={announcement.version} announcement={announcement} />
        ))}
        {keptByPage[about] && <p className="text-sm">{keptByPage[about]}</p>}
      </div>
    </section>
  )
}

/** One change is a sentence. Several are a list under their date. */
function Changes({ announcement }: { announcement: Announcement }) {
  const { changes, takes_effect_at } = announcement
  const [only] = changes
  if (only && changes.length === 1) return <p>{announcementLine(announcement, only)}</p>
  return (
    <div>
      <p className="font-semibold">From {termsDateText(takes_effect_at)}</p>
      <ul className="list-disc pl-5">
        {changes.map((change) => (
          <li key={change.name}>{changeSentence(change)}</li>
        ))}
      </ul>
    </div>
  )
}
