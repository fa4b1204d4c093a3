import { expect, test } from 'vitest'
import { layOut, tickOf } from './chart-plot.ts'

const pointsOf = (...values: number[]) => values.map((value, index) => ({ label: `${index + 1} Nov`, value }))

test('a curve fills the height of its chart, and bars start at zero', () => {
  const points = pointsOf(5_000, 5_004, 5_012)
  const curve = layOut(points, 640, 200, 'area')
  const drawn = curve.y(5_000) - curve.y(5_012)
  expect(drawn).toBeGreaterThan((curve.bottom - curve.top) / 2)
  const bars = layOut(points, 640, 200, 'bars')
  expect(bars.y(0)).toBe(bars.bottom)
})

test('a curve of money does not show amounts below zero, and a flat one has a range', () => {
  expect(layOut(pointsOf(0, 3), 640, 200, 'area').y.domain()[0]).toBe(0)
  for (const value of [0, 7, -7, 1e-9, 1e12]) {
    const { ticks, y } = layOut(pointsOf(value, value), 640, 200, 'area')
    expect(new Set(ticks.map(({ text }) => text)).size).toBeGreaterThan(1)
    expect(y(value)).toBeGreaterThan(0)
  }
})

test('labels on the axis do not overlap, and the last point has one', () => {
  for (const width of [280, 358, 640, 1_000])
    for (const length of [1, 2, 7, 30, 90, 365]) {
      const points = pointsOf(...Array.from({ length }, (_, index) => index))
      const { labels, left, right } = layOut(points, width, 200, 'area')
      expect(labels.at(-1)?.index).toBe(length - 1)
      for (const [at, label] of labels.slice(1).entries())
        expect(label.left - (labels[at]?.left ?? 0)).toBeGreaterThan(
          6 * Math.max(...points.map((point) => tickOf(point).length)),
        )
      expect(labels.every((label) => label.left >= left && label.left < right + 0.1)).toBe(true)
    }
})

test('amounts of any length have room beside the axis', () => {
  const { left, ticks } = layOut(pointsOf(12_345_678, 12_345_999), 390, 200, 'area')
  expect(left).toBeGreaterThan(6 * Math.max(...ticks.map(({ text }) => text.length)))
})

test('the nearest point is found from the pointer, also outside of the chart', () => {
  for (const kind of ['area', 'bars'] as const) {
    const { nearest, x } = layOut(pointsOf(1, 2, 3), 390, 200, kind)
    expect([-50, x(0), x(1) + 2, x(2), 900].map(nearest)).toEqual([0, 0, 1, 2, 2])
  }
  expect(layOut([], 390, 200, 'area').nearest(100)).toBeUndefined()
})
