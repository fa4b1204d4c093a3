import { type NewsTopic, news, newsTopics } from '../../protocol/news.ts'
import { defaultQuietHours, type NewsChannel, type QuietHours } from '../../protocol/news-choices.ts'
import { controlClass } from '../../ui/field.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useSavedChoice } from '../shared/page/use-saved-choice.ts'
import type { NewsSettings } from './settings-card.tsx'

const topicWords: Record<NewsTopic, string> = {
  deposits: 'Deposits',
  withdrawals: 'Withdrawals',
  rewards: 'Rewards on hold',
  plans: 'Plans that mature',
  support: 'Answers from support',
  security: 'Sign-ins and your wallet',
  streak: 'Your streak',
  terms: 'New terms',
}
const channelWords: Record<NewsChannel, string> = { push: 'Push', email: 'E-mail', telegram: 'Telegram' }
const topics = Object.keys(newsTopics) as NewsTopic[]

type Chosen = Pick<NewsSettings, 'choices' | 'quiet'>

/** Which topics go where, and when they wait. Each tap is saved at once. */
export function Choices({ settings }: { settings: NewsSettings }) {
  const [shown, save] = useSavedChoice<typeof news.choose, Chosen>(settings, {
    route: news.choose,
    shownBy: news.settings,
  })
  const { choices, quiet } = shown
  const choose = (change: Partial<Chosen>) => {
    const chosen = { choices, quiet, ...change }
    save(chosen, chosen)
  }
  const channels = (['push', 'email', 'telegram'] as const).filter((channel) => settings[channel])
  return (
    <>
      <table className="w-full text-[15px]">
        <caption className="sr-only">Which news goes to which channel</caption>
        <thead>
          <tr className="text-faint text-sm">
            <th scope="col" className="pb-2 text-left font-normal">
              About
            </th>
            {channels.map((channel) => (
              <th key={channel} scope="col" className="w-16 pb-2 font-normal">
                {channelWords[channel]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {topics.map((topic) => (
            <tr key={topic} className="border-line border-t">
              <th scope="row" className="py-1 text-left font-normal">
                {topicWords[topic]}
              </th>
              {channels.map((channel) => (
                <td key={channel} className="text-center">
                  <Box
                    label={`${topicWords[topic]} by ${channelWords[channel]}`}
                    checked={choices[topic][channel]}
                    onChange={(checked) =>
                      choose({ choices: { ...choices, [topic]: { ...choices[topic], [channel]: checked } } })
                    }
                  />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <Quiet quiet={quiet} zone={settings.zone} onChange={(hours) => choose({ quiet: hours })} />
    </>
  )
}

type BoxProps = { label: string; checked: boolean; onChange: (checked: boolean) => void }

const Box = ({ label, checked, onChange }: BoxProps) => (
  <label className="inline-grid size-11 cursor-pointer place-items-center">
    <input
      type="checkbox"
      aria-label={label}
      checked={checked}
      onChange={(event) => onChange(event.target.checked)}
      className="size-5 cursor-pointer accent-primary"
    />
  </label>
)

type QuietProps = { quiet: QuietHours | null; zone: string | null; onChange: (quiet: QuietHours | null) => void }

function Quiet({ quiet, zone, onChange }: QuietProps) {
  return (
    <div className="grid gap-3">
      <Switch
        label="Quiet hours"
        hint={`Messages wait until they end, except about sign-ins and your wallet. Times in ${zone ?? 'UTC'}.`}
        checked={quiet !== null}
        onChange={(on) => onChange(on ? defaultQuietHours : null)}
      />
      {quiet && (
        <div className="grid grid-cols-2 gap-3">
          <Time label="From" value={quiet.from} other={quiet.until} onChange={(from) => onChange({ ...quiet, from })} />
          <Time
            label="Until"
            value={quiet.until}
            other={quiet.from}
            onChange={(until) => onChange({ ...quiet, until })}
          />
        </div>
      )}
    </div>
  )
}

type TimeProps = { label: string; value: string; other: string; onChange: (time: string) => void }

/** An incomplete time is empty, and the same time twice would be no hours at all: neither is saved. */
const Time = ({ label, value, other, onChange }: TimeProps) => (
  <label className="grid gap-1.5 text-faint text-sm">
    {label}
    <input
      type="time"
      value={value}
      onChange={({ target }) => target.value && target.value !== other && onChange(target.value)}
      className={controlClass}
    />
  </label>
)
