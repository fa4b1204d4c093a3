import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type AxeWindow = Window & { axe: { run: (where: Document, options: RunOptions) => Promise<AxeResults> } }

/** The rules of axe that look at colours. */
const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Lists serious and critical accessibility violations of what is shown, open sheets included, in the light theme and in
 * the dark one. The themes differ only in colours: tokens.css defines each with light-dark().
 */
export async function findBarriers(page: Page): Promise<string[]> {
  await page.evaluate(drawAll)
  const inLight = await barriersOf(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const inDark = await barriersOf(page, colourRules)
  await page.emulateMedia({ colorScheme: 'light' })
  return [...inLight, ...inDark.map((barrier) => `dark ${barrier}`)]
}

/**
 * Runs in the page. A card far from the screen (draw-near) is not drawn and keeps the colours of the other theme; when
 * axe reads them, their transitions only begin.
 */
function drawAll(): void {
  for (const card of document.querySelectorAll<HTMLElement>('.draw-near')) card.style.contentVisibility = 'visible'
}

/**
 * Of all rules, or of `only` these. axe is loaded once per document and checks only the main frame. What it found while
 * something moved is measured again.
 */
async function barriersOf(page: Page, only?: string[]): Promise<string[]> {
  if (page.frames().length > 1) throw new Error('This page has frames, which are not checked')
  while (true) {
    await transitionsEnd(page)
    if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
    const { violations, hasMoved } = await page.evaluate(runAxe, only)
    const barriers = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
    if (barriers.length === 0 || !hasMoved) return barriers
  }
}

/** Runs in the page. */
async function runAxe(rules?: string[]) {
  const { axe } = window as unknown as AxeWindow
  const signs = ['transitionrun', 'transitionend', 'animationstart', 'animationend']
  let hasMoved = false
  const moves = () => {
    hasMoved = true
  }
  for (const sign of signs) addEventListener(sign, moves, true)
  const options = { resultTypes: ['violations' as const], ...(rules && { runOnly: rules }) }
  const { violations } = await axe.run(document, options)
  for (const sign of signs) removeEventListener(sign, moves, true)
  return { violations, hasMoved }
}

/**
 * Waits for all animations except infinite ones. A theme change takes one frame per level of nested transitions, and
 * the contrast of colours in between is meaningless.
 */
export const transitionsEnd = (page: Page) =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  )
