/** A URL in plain text or in a JSON string, where a quote or backslash inside the URL is escaped. */
const URL_IN_TEXT = /\b([a-z][a-z0-9+.-]*):\/\/((?:[^\s"\\]|\\["\\/])+)/gi
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i

/**
 * Keeps only scheme, host and port of every URL. Chain providers put their API key into the path or the query, and a
 * database URL contains the password. Paths of source files in stack traces stay.
 */
export const redactUrls = (text: string): string =>
  text.replace(URL_IN_TEXT, (url: string, scheme: string, rest: string) => {
    if (scheme.toLowerCase() === 'file' || HOST.test(rest)) return url
    const authority = rest.split(/[/?#\\]/, 1)[0] ?? ''
    const host = authority.slice(authority.lastIndexOf('@') + 1)
    return HOST.test(host) ? `${scheme}://${host}/[hidden]` : `${scheme}://[hidden]`
  })

/** Control characters that JSON leaves as they are, line separators, and marks that change the text direction. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Escapes what a terminal or a log reader could take for a command or a new line. The text stays valid JSON. */
export const escapeUnsafe = (json: string): string =>
  json.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** For the operator's terminal: every line of a user's text is indented and contains no control character. */
export const printable = (text: string): string =>
  text
    .replaceAll('\n', '\n  ')
    .replace(UNSAFE, '\uFFFD')
    .replace(/\p{Cc}/gu, (char) => (char === '\n' ? char : '\uFFFD'))
