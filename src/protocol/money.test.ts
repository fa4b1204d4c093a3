import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from './errors.ts'
import { add, formatUsdt, micro, parseUsdt, portion, split, usdt, usdtInput } from './money.ts'

const request = z.strictObject({ usdt_amount: usdtInput })

/** The amount a handler would get, or the refused field and the message. */
function read(usdt_amount: unknown) {
  const { data, error } = request.safeParse({ usdt_amount })
  return error ? { field: error.issues[0]?.path.join('.'), message: error.issues[0]?.message } : data.usdt_amount
}

const nasty: unknown[] = [
  '',
  ' ',
  ' 1',
  '1 ',
  '1\n',
  '\t1',
  '-1',
  '+1',
  '-0',
  '0',
  '0.0',
  '0.000000',
  '00',
  '01',
  '00.5',
  '.5',
  '5.',
  '.',
  '1..2',
  '1.2.3',
  '1,5',
  '1_000',
  '1 000',
  '1e3',
  '1E-3',
  '0x10',
  '0b1',
  '1n',
  'NaN',
  'Infinity',
  'null',
  'ten',
  '$5',
  '١٢',
  '１２',
  '1\u00005',
  '1\u200b',
  '0.0000001',
  '1.1234567',
  '1000000000000',
  '9'.repeat(400),
  1e21,
  1e-7,
  -1,
  0,
  -0,
  0.1 + 0.2,
  1_000_000_000_000,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  null,
  undefined,
  true,
  [],
  ['1'],
  {},
  { valueOf: () => 1 },
  1n,
]

describe('the amount grammar', () => {
  const named = nasty.map((value): [string, unknown] => [`the ${typeof value} "${value}"`, value])
  test.each(named)('refuses %s and names the field', (_name, value) => {
    expect(read(value)).toMatchObject({ field: 'usdt_amount', message: expect.stringMatching(/./) })
  })

  test.each([
    ['0.000001', 1n],
    ['0.1', 100_000n],
    ['1', 1_000_000n],
    ['12.5', 12_500_000n],
    ['12.500000', 12_500_000n],
    ['999999999999.999999', 999_999_999_999_999_999n],
    [12.5, 12_500_000n],
    [0.000001, 1n],
    [999_999_999_999, 999_999_999_999_000_000n],
  ])('reads %j exactly, to the last micro-USDT', (value, expected) => {
    expect(read(value)).toBe(expected)
  })

  test('says so when there are too many decimals', () => {
    expect(() => parseUsdt('1.0000001', 'amount')).toThrow(
      new AppError('amount_precision', 'At most 6 decimals are allowed', 'amount'),
    )
  })
})

describe('amounts', () => {
  test.each([0n, 1n, -1n, 999_999n, 1_000_000n, 12_500_000n, -12_345_678n, 10n ** 18n - 1n])(
    '%s is the same after encoding and decoding',
    (units) => {
      expect(usdt.decode(usdt.encode(micro(units)))).toBe(units)
    },
  )

  test('are written in their shortest form', () => {
    expect([0n, 1n, 12_500_000n, -1_000_000n].map((units) => formatUsdt(micro(units)))).toEqual([
      '0',
      '0.000001',
      '12.5',
      '-1',
    ])
  })

  test('split into parts that sum to the whole', () => {
    const whole = parseUsdt('20.000001')
    const { part, rest } = split(whole, 10n)
    expect([part, rest]).toEqual([2_000_000n, 18_000_001n])
    expect(add(part, rest)).toBe(whole)
  })

  test('round a portion down', () => {
    expect(portion(parseUsdt('0.000099'), 5n, 100n)).toBe(4n)
  })
})
