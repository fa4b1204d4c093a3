import { HeartHandshake, Phone } from 'lucide-react'
import {
  CRISIS_CONTACTS,
  type CrisisContact,
  crisisContacts,
  HELPLINE_DIRECTORY,
} from '../../protocol/support-crisis.ts'
import { Card } from '../../ui/card.tsx'

const NEAR_MAX = 3

/** Crisis helplines, the user's country first. `quiet` at the bottom of the page; prominent if a text sounds urgent. */
export function CrisisCard({ quiet = false }: { quiet?: boolean }) {
  const region = regionOf(navigator.language)
  const contacts = crisisContacts(region)
  // One helpline is enough if the user's country has one; otherwise show a few.
  const near = contacts[0]?.regions.includes(region ?? '') ? 1 : NEAR_MAX
  return (
    <Card
      weight={quiet ? 'quiet' : 'plain'}
      role={quiet ? undefined : 'alert'}
      className={quiet ? '' : 'border-2 border-coral'}
      aria-label="Help in a crisis"
    >
      <div className="flex items-start gap-4">
        <span
          aria-hidden="true"
          className="grid size-12 shrink-0 place-items-center rounded-full bg-coral-tint text-coral-ink"
        >
          <HeartHandshake size={24} />
        </span>
        <div className="grid gap-1">
          <h2 className="text-xl">{quiet ? 'In a crisis, talk to a person' : 'You are not alone'}</h2>
          <p className="text-soft">
            {quiet ? '' : 'We read every message, but not around the clock. '}
            These helplines are free and open to anyone in distress. If you are in danger, call your emergency number:
            112, 911 or 999.
          </p>
        </div>
      </div>
      <ul className="mt-4 grid gap-2 sm:grid-cols-3">
        {contacts.slice(0, near).map((contact) => (
          <ContactLine key={contact.place} contact={contact} />
        ))}
      </ul>
      <details className="mt-3">
        <summary className="w-fit rounded-lg py-2 font-semibold text-primary">
          {CRISIS_CONTACTS.length - near} more countries
        </summary>
        <ul className="mt-2 grid gap-2 sm:grid-cols-2 lg:grid-cols-3">
          {contacts.slice(near).map((contact) => (
            <ContactLine key={contact.place} contact={contact} />
          ))}
        </ul>
        <p className="mt-3 text-soft">
          Anywhere else:{' '}
          <a
            className="font-semibold text-primary underline"
            href={HELPLINE_DIRECTORY}
            target="_blank"
            rel="noreferrer"
          >
            findahelpline.com
          </a>
        </p>
      </details>
    </Card>
  )
}

function ContactLine({ contact: { place, name, phone } }: { contact: CrisisContact }) {
  return (
    <li>
      <a
        href={`tel:${phone.replaceAll(' ', '')}`}
        className="flex min-h-14 items-center gap-3 rounded-inner border border-line bg-surface px-4 py-2.5 transition hover:border-line-strong"
      >
        <Phone size={18} aria-hidden="true" className="shrink-0 text-coral" />
        <span className="grid leading-tight">
          <span className="figures font-semibold">{phone}</span>
          <span className="text-faint text-sm">
            {name}, {place}
          </span>
        </span>
      </a>
    </li>
  )
}

function regionOf(language: string): string | undefined {
  try {
    return new Intl.Locale(language).maximize().region
  } catch {
    return undefined
  }
}
