import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeEach, expect, it } from 'vitest'
import { notify, TOAST_MS, Toaster } from './toast.tsx'

const shown = () => renderToStaticMarkup(createElement(Toaster))

beforeEach(() => {
  notify.dismiss()
})

it('a success is shown for 2 s, an error and a neutral notice for 4 s, and loading has no limit', () => {
  expect(TOAST_MS).toEqual({ success: 2_000, error: 4_000, neutral: 4_000, loading: Number.POSITIVE_INFINITY })
})

it('at most 20 notices are shown at once, newest first', () => {
  for (let number = 1; number <= 25; number++) notify.neutral(`notice ${number};`)
  const numbers = [...shown().matchAll(/notice (\d+);/g)].map(([, number]) => Number(number))
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, index) => 25 - index))
})

it('an error is announced immediately, a success politely', () => {
  notify.error('It failed')
  expect(shown()).toMatch(/<div role="alert" aria-live="assertive"[^>]*>.*It failed/)
  notify.success('It worked')
  expect(shown()).toMatch(/<div role="status" aria-live="polite"[^>]*>.*It worked/)
})
