import { expect, test } from 'vitest'
import { parseJsonBody } from './json.ts'

test.each([
  ['{"amount":1e3}', { amount: '1e3' }],
  ['{"amount": 1.50}', { amount: '1.50' }],
  ['{"amount":\n-0}', { amount: '-0' }],
  ['{"amounts":[0.1000000000000000055,2]}', { amounts: ['0.1000000000000000055', 2] }],
  ['{"note":"1e3, [1.50]","amount":"1.50"}', { note: '1e3, [1.50]', amount: '1.50' }],
  ['{"page_no":2,"hide":true,"note":null}', { page_no: 2, hide: true, note: null }],
  ['', {}],
])('%s is read as it was sent', (text, value) => expect(parseJsonBody(text)).toEqual(value))

test.each(['{"__proto__":{}}', '{"\\u005f_proto__":"x"}', '{"a":', 'no'])('%s is refused', (text) =>
  expect(() => parseJsonBody(text)).toThrow('The request is not valid JSON'),
)
