import { expect, it } from 'vitest'
import { deviceName } from './device.ts'

const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36'
const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1'

it('names browser and system, and prefers the more specific match', () => {
  expect(deviceName(chrome)).toBe('Chrome on Linux')
  expect(deviceName(`${chrome} Edg/140.0`)).toBe('Edge on Linux')
  expect(deviceName(iphone)).toBe('Safari on iOS')
})

it('shows the first characters of an unknown user agent, and a default for an empty one', () => {
  expect(deviceName('curl/8.5.0')).toBe('curl/8.5.0')
  expect(deviceName('x'.repeat(500))).toHaveLength(40)
  expect(deviceName('')).toBe('Unknown device')
})
