import { expectedCost, payoutOf } from '../../protocol/colour-draw.ts'
import { type Colour, chancePercent, colours, colourTable, DRAW_SIZE } from '../../protocol/colour-odds.ts'
import { formatUsdt, type Usdt } from '../../protocol/money.ts'
import { Button } from '../../ui/button.tsx'
import { amountText, moneyText } from '../../ui/format.ts'
import { RadioCard } from '../../ui/radio-card.tsx'
import { ColourMark, colourLook } from '../shared/draws/colour-mark.tsx'
import { Summary } from '../shared/money/summary.tsx'

export function Choices({ selected, onSelect }: { selected: Colour; onSelect: (colour: Colour) => void }) {
  return (
    <fieldset className="grid grid-cols-3 gap-2 sm:gap-2.5">
      <legend className="sr-only wide:not-sr-only wide:mb-2 font-semibold text-[15px]">Colour</legend>
      {colours.map((colour) => (
        <RadioCard
          key={colour}
          name="colour"
          checked={colour === selected}
          onChange={() => onSelect(colour)}
          className={`colour-choice colour-choice-${colour}`}
        >
          <ColourMark colour={colour} className="size-7 wide:size-9" />
          <span className="grid leading-tight">
            <span className="font-semibold">{colourLook[colour].name}</span>
            <span className="figures text-soft text-sm">pays {String(colourTable[colour].pays)}×</span>
          </span>
        </RadioCard>
      ))}
    </fieldset>
  )
}

type QuickAmountsProps = { amounts: readonly Usdt[]; chosen: string; onSelect: (text: string) => void }

export function QuickAmounts({ amounts, chosen, onSelect }: QuickAmountsProps) {
  return (
    <div className="grid grid-cols-4 gap-2 wide:-mt-1">
      {amounts.map((amount) => (
        <Button
          key={amount.toString()}
          variant={formatUsdt(amount) === chosen ? 'lime' : 'quiet'}
          size="s"
          aria-label={`Set the amount to ${amountText(amount)} USDT`}
          onClick={() => onSelect(formatUsdt(amount))}
        >
          {amountText(amount)}
        </Button>
      ))}
    </div>
  )
}

type OddsProps = { colour: Colour; amount: Usdt | undefined; netMonth: Usdt | undefined }

export function Odds({ colour, amount, netMonth }: OddsProps) {
  const exact = (value: Usdt | undefined) => (value === undefined ? '–' : `${amountText(value)} USDT`)
  return (
    <div aria-live="polite">
      <Summary
        lines={[
          { name: 'Chance', value: `${chancePercent(colour)} in ${DRAW_SIZE}` },
          { name: 'If it wins, you receive', value: exact(amount && payoutOf(amount, colour, colour)) },
          { name: 'Average cost', value: exact(amount && expectedCost(amount)) },
          {
            name: 'Your result this month',
            value: netMonth === undefined ? '–' : `${netMonth > 0n ? '+' : ''}${moneyText(netMonth)} USDT`,
          },
        ]}
      />
    </div>
  )
}

type BriefProps = { colour: Colour; amount: Usdt | undefined; hint: string | undefined; error: string | undefined }

/** The odds in one line, or why there can be no bet. */
export function Brief({ colour, amount, hint, error }: BriefProps) {
  const chance = `${chancePercent(colour)} in ${DRAW_SIZE}`
  const cost = amount ? `, costs ${amountText(expectedCost(amount))} USDT on average` : ''
  return (
    <p aria-live="polite" className={`min-h-5 text-center text-sm leading-5 ${error ? 'text-coral-ink' : 'text-soft'}`}>
      {error ?? hint ?? `Wins ${chance}${cost}`}
    </p>
  )
}
