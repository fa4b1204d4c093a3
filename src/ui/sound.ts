import { useState } from 'react'

/** Game sounds, synthesized with the Web Audio API, so there is nothing to download. One switch mutes them all. */

const KEY = 'sound'
let context: AudioContext | undefined
let muted = readMuted()

/** Whether sounds are off, and a function that turns them on or off. */
export function useMute() {
  const [silent, setSilent] = useState(muted)
  const mute = () => {
    setMuted(!silent)
    setSilent(!silent)
  }
  return { muted: silent, mute }
}

function setMuted(value: boolean): void {
  muted = value
  try {
    localStorage.setItem(KEY, value ? 'off' : 'on')
  } catch {
    // Storage is unavailable. The choice lasts until the page is closed.
  }
}

function readMuted(): boolean {
  try {
    return localStorage.getItem(KEY) === 'off'
  } catch {
    return false
  }
}

type Note = {
  from: number
  to?: number
  atMs?: number
  lengthMs: number
  volume?: number
  type?: OscillatorType
}

export function play(...notes: Note[]): void {
  if (muted) return
  try {
    context ??= new AudioContext()
    if (context.state === 'suspended') void context.resume()
    for (const note of notes) playNote(context, note)
  } catch {
    // Without audio support the game is silent.
  }
}

function playNote(
  audio: AudioContext,
  { from, to = from, atMs = 0, lengthMs, volume = 0.12, type = 'triangle' }: Note,
) {
  const start = audio.currentTime + atMs / 1000
  const end = start + lengthMs / 1000
  const oscillator = new OscillatorNode(audio, { type, frequency: from })
  const gain = new GainNode(audio, { gain: 0 })
  oscillator.frequency.setValueAtTime(from, start)
  oscillator.frequency.exponentialRampToValueAtTime(Math.max(1, to), end)
  gain.gain.setValueAtTime(0.0001, start)
  gain.gain.exponentialRampToValueAtTime(volume, start + 0.012)
  gain.gain.exponentialRampToValueAtTime(0.0001, end)
  oscillator.connect(gain).connect(audio.destination)
  oscillator.start(start)
  oscillator.stop(end + 0.02)
}
