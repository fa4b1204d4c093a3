import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type { AxeResults, RunOptions } from 'axe-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type AxeWindow = Window & { axe: { run: (where: Document, options: RunOptions) => Promise<AxeResults> } }

/** The rules of axe that look at colours. */
export const colourRules = ['color-contrast', 'link-in-text-block']

/**
 * Lists serious and critical accessibility violations, as rule and element: of all rules, or of `only` these. axe is
 * loaded once per document and checks only the main frame.
 */
export async function findBarriers(page: Page, only?: string[]): Promise<string[]> {
  if (page.frames().length > 1) throw new Error('This page has frames, which are not checked')
  await transitionsEnd(page)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const violations = await page.evaluate(async (rules) => {
    const { axe } = window as unknown as AxeWindow
    return (await axe.run(document, { resultTypes: ['violations'], ...(rules && { runOnly: rules }) })).violations
  }, only)
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

/**
 * Waits for all animations except infinite ones. A theme change takes one frame per level of nested transitions, and
 * the contrast of colours in between is meaningless.
 */
const transitionsEnd = (page: Page) =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .every(({ playState, effect }) => playState !== 'running' || effect?.getComputedTiming().endTime === Infinity),
  )
