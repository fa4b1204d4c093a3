import { useMemo } from 'react'
import { encode } from 'uqr'

/** Always dark on light, whatever the theme: cameras expect it. */
export function Qr({ text, label, size = 176 }: { text: string; label: string; size?: number }) {
  const { path, count } = useMemo(() => {
    const { data, size: modules } = encode(text, { border: 0 })
    const squares = data.flatMap((row, y) => row.map((on, x) => (on ? `M${x} ${y}h1v1h-1z` : '')))
    return { path: squares.join(''), count: modules }
  }, [text])
  return (
    <div className="w-fit rounded-inner bg-white p-4 shadow-card">
      <svg viewBox={`0 0 ${count} ${count}`} width={size} height={size} role="img" aria-label={label}>
        <path d={path} fill="#10231c" shapeRendering="crispEdges" />
      </svg>
    </div>
  )
}
