import { join } from 'node:path'
import { Resvg, renderAsync } from '@resvg/resvg-js'
import { brand } from '../../../protocol/brand.ts'
import { type ShareFigures, shareWords } from '../../../protocol/shares.ts'
import type { Db } from '../../platform/db.ts'
import { getShare } from './shares.ts'

/** The size that messengers show in full. */
const CARD = { width: 1200, height: 630 } as const
/** About 140 kB each. */
const KEPT_MAX = 200
const fontFiles = ['bricolage.ttf', 'figtree.ttf'].map((file) => join(import.meta.dirname, 'fonts', file))
export const font = { loadSystemFonts: false, fontFiles, defaultFontFamily: 'Figtree' }
const TITLE = { left: 497, widthMax: 640, sizeMax: 84 } as const

export type Cards = { draw(token: string): Promise<Buffer> }

/**
 * Cards as PNG images, drawn once per process and link, in a thread of libuv. Every call first looks for the link, so a
 * card is gone with its link.
 */
export function createCards(db: Db): Cards {
  const kept = new Map<string, Promise<Buffer>>()
  return {
    async draw(token) {
      const { username, figures } = await getShare(db, token)
      const drawn = kept.get(token) ?? drawCard(username, figures)
      // Put last again: the first entry is the one that was not asked for the longest.
      kept.delete(token)
      kept.set(token, drawn)
      drawn.catch(() => kept.delete(token))
      for (const oldest of kept.keys()) if (kept.size > KEPT_MAX) kept.delete(oldest)
      return drawn
    },
  }
}

async function drawCard(username: string, figures: ShareFigures): Promise<Buffer> {
  return (await renderAsync(cardSvg(username, figures), { font })).asPng()
}

export function cardSvg(username: string, figures: ShareFigures): string {
  const { title, text } = shareWords(figures)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${CARD.width} ${CARD.height}">
    <defs><linearGradient id="back" x2="1" y2="1"><stop stop-color="#0d2b22"/><stop offset="1" stop-color="#1b5f45"/></linearGradient></defs>
    <rect width="${CARD.width}" height="${CARD.height}" fill="url(#back)"/>
    <circle cx="1120" cy="20" r="250" fill="#c8f169" opacity=".07"/>
    ${ringsOf(figures)}
    <g fill="#f4f8f1" font-family="Figtree">
      <text x="500" y="200" font-size="36" fill="#b9cbc0">${escapeText(username)}</text>
      <text x="${TITLE.left}" y="300" font-size="${sizeOf(title)}" font-family="Bricolage" fill="#c8f169">${escapeText(title)}</text>
      ${linesOf(text)
        .map((line, index) => `<text x="500" y="${376 + index * 46}" font-size="34">${escapeText(line)}</text>`)
        .join('')}
      <text x="500" y="556" font-size="38" font-family="Bricolage">${brand.name}</text>
      <text x="500" y="590" font-size="24" fill="#b9cbc0">${escapeText(brand.tagline)}</text>
    </g></svg>`
}

/** The largest size at which the title fits. Operators choose the names of plans, so its length is not known. */
function sizeOf(title: string): number {
  const text = `<text y="100" font-size="100" font-family="Bricolage">${escapeText(title)}</text>`
  const drawn = new Resvg(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1">${text}</svg>`, { font }).getBBox()
  return Math.min(TITLE.sizeMax, Math.floor((100 * TITLE.widthMax) / (drawn?.width ?? 1)))
}

const TONES = ['#c8f169', '#5fbcff', '#ff7d5f', '#b79cff']

/** Rings from the outside in, as on the pages, with one figure in the middle. */
function ringsOf(figures: ShareFigures): string {
  const { shares, middle, unit } = ringFigures(figures)
  const rings = shares.map((share, index) => {
    const radius = 172 - index * 34
    const way = 2 * Math.PI * radius
    const circle = `<circle cx="260" cy="315" r="${radius}" fill="none" stroke-width="27"`
    const arc = `stroke="${TONES[index]}" stroke-linecap="round" stroke-dasharray="${way * share} ${way}" transform="rotate(-90 260 315)"`
    return `${circle} stroke="#f4f8f1" opacity=".13"/>${share > 0 ? `${circle} ${arc}/>` : ''}`
  })
  const hasRoom = shares.length < 4
  return `${rings.join('')}<g text-anchor="middle" font-family="Bricolage" fill="#f4f8f1">
    <text x="260" y="${hasRoom ? 330 : 328}" font-size="${hasRoom ? 62 : 38}">${middle}</text>
    ${unit ? `<text x="260" y="366" font-size="24" font-family="Figtree" fill="#b9cbc0">${unit}</text>` : ''}</g>`
}

function ringFigures(figures: ShareFigures): { shares: number[]; middle: string; unit: string } {
  if (figures.kind === 'rings') {
    const shares = Array.from({ length: figures.rings }, (_, index) => (index < figures.closed ? 1 : 0))
    return { shares, middle: `${figures.closed}/${figures.rings}`, unit: '' }
  }
  if (figures.kind === 'streak')
    return { shares: [1], middle: String(figures.days), unit: figures.days === 1 ? 'day' : 'days' }
  if (figures.kind === 'plan') return { shares: [1], middle: String(figures.days), unit: 'days' }
  const { hits, questions } = figures
  return { shares: [questions === 0 ? 0 : hits / questions], middle: `${hits}/${questions}`, unit: 'right' }
}

/** Lines of at most about 40 letters. */
const linesOf = (text: string): string[] => text.match(/.{1,40}(?=\s|$)/g)?.map((line) => line.trim()) ?? []

const escapeText = (text: string) => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`)
