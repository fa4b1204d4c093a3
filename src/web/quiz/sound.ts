import { play } from '../../ui/sound.ts'

/** A pentatonic scale: longer combos play higher notes, and all notes fit together. */
const ladder = [523.25, 587.33, 659.25, 783.99, 880, 1046.5, 1174.66, 1318.51, 1567.98, 1760]
const step = (index: number) => ladder[Math.min(index, ladder.length - 1)] ?? 523.25

export const sounds = {
  count: () => play({ from: 440, lengthMs: 110 }),
  go: () => play({ from: 880, lengthMs: 220 }),
  fire: () => play({ from: 900, to: 180, lengthMs: 130, type: 'sawtooth', volume: 0.05 }),
  hit: (combo: number) =>
    play(
      { from: step(combo), lengthMs: 160 },
      { from: step(combo) * 1.5, atMs: 70, lengthMs: 240, volume: 0.09 },
      { from: step(combo) * 2, atMs: 130, lengthMs: 320, volume: 0.05, type: 'sine' },
    ),
  miss: () =>
    play(
      { from: 190, to: 70, lengthMs: 320, type: 'square', volume: 0.07 },
      { from: 96, to: 48, lengthMs: 380, volume: 0.16, type: 'sine' },
    ),
  escape: () => play({ from: 420, to: 120, lengthMs: 420, type: 'sine', volume: 0.14 }),
  tick: () => play({ from: 1200, lengthMs: 40, volume: 0.04, type: 'square' }),
  power: () =>
    play(...[0, 2, 4, 6].map((index) => ({ from: step(index), atMs: index * 28, lengthMs: 180, volume: 0.07 }))),
  level: () => play(...[0, 3, 5, 8].map((index, at) => ({ from: step(index), atMs: at * 110, lengthMs: 300 }))),
  over: () => play(...[5, 3, 1, 0].map((index, at) => ({ from: step(index) / 2, atMs: at * 150, lengthMs: 340 }))),
  puff: () => play({ from: 320, to: 240, lengthMs: 60, volume: 0.03, type: 'sine' }),
}
