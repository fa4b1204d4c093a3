import { useEffect, useState } from 'react'
import { prefersLessMotion } from '../../ui/theme.ts'
import { depthAt, mixPose, type Point, type Pose, STANDING } from './stretches.ts'

const SHOULDER = 15
const HIP = 9

/** A figure that moves in and out of its stretch. It does not move for users who prefer less motion. */
export function StretchFigure({ pose, size = 260, moving }: { pose: Pose; size?: number; moving: boolean }) {
  const depth = useDepth(moving)
  const { head, neck, hip, elbows, hands, knees, feet } = mixPose(STANDING, pose, depth)
  const shoulders: [Point, Point] = [
    [neck[0] - SHOULDER, neck[1] + 6],
    [neck[0] + SHOULDER, neck[1] + 6],
  ]
  const hips: [Point, Point] = [
    [hip[0] - HIP, hip[1]],
    [hip[0] + HIP, hip[1]],
  ]
  const limb = (points: Point[]) => points.map((point) => point.join(',')).join(' ')
  const round = { fill: 'none', strokeLinecap: 'round', strokeLinejoin: 'round' } as const
  return (
    <svg viewBox="20 -14 160 232" width={size} height={size} aria-hidden="true">
      <ellipse cx={(feet[0][0] + feet[1][0]) / 2} cy="208" rx="56" ry="6" className="fill-panel-line" />
      {[0, 1].map((side) => (
        <polyline
          key={side}
          {...round}
          strokeWidth="17"
          className="stroke-sky"
          points={limb([hips[side as 0 | 1], knees[side as 0 | 1], feet[side as 0 | 1]])}
        />
      ))}
      <polygon
        points={limb([shoulders[0], shoulders[1], hips[1], hips[0]])}
        strokeWidth="16"
        strokeLinejoin="round"
        className="fill-leaf stroke-leaf"
      />
      <line x1={neck[0]} y1={neck[1]} x2={head[0]} y2={head[1]} strokeWidth="12" className="stroke-lime" />
      {[0, 1].map((side) => (
        <polyline
          key={side}
          {...round}
          strokeWidth="13"
          className="stroke-lime"
          points={limb([shoulders[side as 0 | 1], elbows[side as 0 | 1], hands[side as 0 | 1]])}
        />
      ))}
      <circle cx={head[0]} cy={head[1]} r="18" className="fill-lime" />
    </svg>
  )
}

function useDepth(moving: boolean): number {
  const [depth, setDepth] = useState(1)
  useEffect(() => {
    if (!moving || prefersLessMotion()) return setDepth(1)
    const startMs = performance.now()
    let frame = requestAnimationFrame(function draw(now) {
      setDepth(depthAt(now - startMs))
      frame = requestAnimationFrame(draw)
    })
    return () => cancelAnimationFrame(frame)
  }, [moving])
  return depth
}
