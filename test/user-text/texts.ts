/** Texts that have broken programs before, and texts aimed at this product. */
const pieces = {
  words: [
    'Hello',
    'ok',
    'When do I get one?',
    'Grüße 👋🏽',
    '漢字かな',
    '👩‍👩‍👧‍👦',
    'null',
    'undefined',
    'NaN',
    'true',
    '[object Object]',
  ],
  // Names and phrases that the product itself writes and searches for.
  ours: [
    'No raw token at rest',
    `liability snapshot: root ${'ab'.repeat(32)}, 5 USDT owed to 2 users`,
    'All invariants hold.',
    'Some invariants are broken.',
    '{"status":"error","code":"internal"}',
    'hold_00000000-0000-7000-8000-000000000001',
    '[hidden session token]',
  ],
  sql: [
    `'; drop table users; --`,
    `' or '1'='1`,
    `$1`,
    `$$`,
    `\\x00`,
    `%_%`,
    `{a,"b"}`,
    `E'\\n'`,
    `select pg_sleep(9)`,
  ],
  html: [
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '</textarea><svg/onload=alert(1)>',
    '&lt;b&gt; &#0; &amp;',
    'javascript:alert(1)',
    '<!--og-->',
    '{{7*7}} #{7*7} <%= 7*7 %>',
  ],
  replacements: [`$'`, '$&', '$`', '$1', '$<name>', '$$', '\\1'],
  formulas: [
    '=1+1',
    '+1',
    '-1',
    '@SUM(A1)',
    `=cmd|' /C calc'!A0`,
    '\t=1+1',
    '=HYPERLINK("http://evil.example")',
    '"=1+1',
  ],
  terminal: [
    '\u001b[2J',
    '\u001b]0;title\u0007',
    '\u009b31m',
    '\u0007',
    '\b\b\b',
    '\r',
    '\u001bP+q\u001b\\',
    '\u007f',
    '\u0085',
  ],
  lines: [
    '\n',
    '\r\n',
    '\n\nevent: balance\ndata: {}\n\n',
    '\u2028',
    '\u2029',
    '\v\f',
    '\n{"level":50,"msg":"forged"}\n',
  ],
  directions: ['\u202eevil\u202c', '\u2066abc\u2069', '\u200f', '\u061c', 'شكرا لك', 'שלום'],
  invisible: ['\u200b', '\u200d', '\ufeff', '\u00ad', '\u2060', '\u3164', '\ufe0f', '\u{e0041}', 'Z̸͍͠a̷͎͐l̶͇̈g̵̰̎o̶̢͝'],
  broken: ['\ud800', '\udfff', '\udc00\ud800', '\u0000', '\ufffe', '\uffff', '\u{10ffff}', '�'],
  long: ['a'.repeat(139), 'ß'.repeat(2_000), '👍'.repeat(700), ' '.repeat(300), 'x'.repeat(5_000), '٣'.repeat(120)],
  paths: [
    '../../etc/passwd',
    'C:\\Windows',
    'file:///etc/passwd',
    'https://evil.example/?q=',
    '//evil.example',
    '%00',
    '%0d%0aSet-Cookie: a=b',
  ],
}
const kinds = Object.values(pieces)

/** The same texts for the same seed. Every fifth contains one of the given tokens. */
export function createTexts(seed: number, tokens: readonly string[]) {
  let state = seed
  // A linear congruential generator: good enough to choose, and repeatable.
  const below = (count: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * count)
  }
  const oneOf = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item
  const piece = (): string => oneOf(oneOf(kinds))
  const around = ['', ' ', '"', '\n', 'token=', '\u200b', '/', '👋', '(', '\t', "'", '<b>']

  return (): string => {
    const text = Array.from({ length: 1 + below(3) }, piece).join(oneOf(['', ' ', '\n']))
    if (below(5) > 0) return text
    const token = `${oneOf(around)}${oneOf(tokens)}${oneOf(around)}`
    return oneOf([token, `${text} ${token}`, `${token} ${text}`])
  }
}

/** One text of each kind, for a look at the pages. Only what the API stores, and no token. */
export const sampleTexts: string[] = kinds.flatMap((texts) => texts.slice(0, 2))
