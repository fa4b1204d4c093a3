import '../shared/api/no-eval.ts'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { colour } from '../../protocol/colour.ts'
import type { OutputOf } from '../../protocol/route.ts'
import { Ring } from '../../ui/ring.tsx'
import { call } from '../shared/api/api.ts'
import { serverNowMs } from '../shared/api/server-clock.ts'
import { ColourMark } from '../shared/draws/colour-mark.tsx'
import { useNow } from '../shared/page/use-now.ts'

type Live = {
  running: OutputOf<typeof colour.running>['data']
  drawn: OutputOf<typeof colour.games>['data']
}

const DRAWN_SHOWN = 5
/** A round that is being drawn has no end that is known, so it is looked for this often. */
const LOOK_MS = 4_000

/** The colour game as it runs now: the countdown of the open round and the latest draws. A tap joins with free chips. */
export function HeroLive() {
  const live = useLive()
  useNow(1_000)
  if (!live) return null
  const { round } = live.running
  const closesMs = round?.closes_at.getTime() ?? 0
  const isOpen = round !== null && closesMs > serverNowMs()
  const seconds = Math.ceil((closesMs - serverNowMs()) / 1_000)
  const wholeMs = closesMs - (round?.opens_at.getTime() ?? 0)
  return (
    <Link
      to="/play/colour"
      className="absolute inset-x-0 bottom-0 mx-auto flex w-fit max-w-full animate-fade items-center gap-4 rounded-[24px] bg-panel py-3 pr-5 pl-3 text-on-panel shadow-lift transition hover:brightness-110"
    >
      <Ring
        value={isOpen ? (seconds * 1_000) / wholeMs : undefined}
        size={60}
        stroke={7}
        tone="lime"
        track="stroke-panel-line"
        ticks
      >
        {isOpen && <span className="figures font-display text-xl">{seconds}</span>}
      </Ring>
      <span className="grid gap-1">
        <span className="font-semibold">
          {isOpen ? `Round ${round.number} is open` : 'The next round opens in a moment'}
          <span className="sr-only">. Join with free chips.</span>
        </span>
        <span className="flex items-center gap-1.5">
          {live.drawn.map(({ number, color }) => color && <ColourMark key={number} colour={color} size={22} />)}
          <span className="ml-1 text-on-panel-soft text-sm">last draws</span>
        </span>
      </span>
    </Link>
  )
}

/** Read again when the round has ended. Without a reply, nothing is shown. */
function useLive(): Live | undefined {
  const [live, setLive] = useState<Live>()
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isWanted = true
    const read = async () => {
      const [running, games] = await Promise.all([call(colour.running, {}), call(colour.games, {})])
      if (!isWanted) return
      setLive({ running: running.data, drawn: games.data.slice(0, DRAWN_SHOWN) })
      const leftMs = (running.data.round?.closes_at.getTime() ?? 0) - serverNowMs()
      timer = setTimeout(look, Math.max(LOOK_MS, leftMs))
    }
    const look = () => void read().catch(() => undefined)
    look()
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [])
  return live
}
