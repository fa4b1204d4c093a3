import { refuse } from './refusal.ts'

/**
 * A small streaming XML reader. It buffers only incomplete markup. It never expands entities, so entity bombs cannot
 * work, and it refuses files that declare one.
 */
export type XmlHandler = {
  /** `attributes` is the tag's text after its name; see `attributesOf`. */
  open(name: string, attributes: string): void
  close?(name: string): void
  /** Text between tags. Long text arrives in several calls. */
  text?(text: string): void
}
export type Reader = { write(chunk: string): void; end(): void }

const MARKUP_CHARS_MAX = 64 * 1024
const DEPTH_MAX = 64

export function createXmlReader(handler: XmlHandler): Reader {
  const open: string[] = []
  let rest = ''
  let rootSeen = false

  function enter(tag: string): void {
    const isEmpty = tag.endsWith('/')
    const nameEnd = endOfName(tag)
    const name = tag.slice(0, nameEnd)
    if (nameEnd === 0) refuse('This file is not well-formed XML.')
    if (open.length === 0 && rootSeen) refuse('This file has more than one root element.')
    if (open.length >= DEPTH_MAX) refuse('This file is nested too deeply.')
    rootSeen = true
    handler.open(name, tag.slice(nameEnd, isEmpty ? -1 : undefined))
    if (isEmpty) handler.close?.(name)
    else open.push(name)
  }

  function leave(tag: string): void {
    const name = tag.slice(1).trimEnd()
    if (open.pop() !== name) refuse('This file is not well-formed XML: a closing tag does not match.')
    handler.close?.(name)
  }

  /** Reads the markup at `from`. Returns where it ends, or -1 if it is incomplete. */
  function markup(text: string, from: number): number {
    const second = text.charCodeAt(from + 1)
    if (second !== BANG && second !== QUESTION) {
      const end = endOfTag(text, from + 1)
      if (end < 0) return -1
      const tag = text.slice(from + 1, end)
      if (second === SLASH) leave(tag)
      else enter(tag)
      return end + 1
    }
    if (second === QUESTION) return after(text, '?>', from)
    if (text.length - from < LONGEST_OPENING.length) return -1
    if (text.startsWith('<!--', from)) return after(text, '-->', from)
    if (text.startsWith('<![CDATA[', from)) return after(text, ']]>', from)
    if (!rootSeen && text.startsWith('<!DOCTYPE', from)) return declaration(text, from)
    return refuse('This file is not well-formed XML.')
  }

  return {
    write(chunk) {
      const text = rest + chunk
      let at = 0
      for (;;) {
        const from = text.indexOf('<', at)
        if (from !== at) handler.text?.(text.slice(at, from < 0 ? undefined : from))
        if (from < 0) {
          at = text.length
          break
        }
        const end = markup(text, from)
        at = end < 0 ? from : end
        if (end < 0) break
      }
      rest = text.slice(at)
      if (rest.length > MARKUP_CHARS_MAX) refuse('A tag in this file is too long. Nothing was imported.')
    },
    end() {
      if (!rootSeen) refuse('This file is empty or not XML.')
      if (rest !== '' || open.length > 0) refuse('This file is incomplete. Export it again and choose the new file.')
    },
  }
}

const [BANG, QUESTION, SLASH, GREATER, DOUBLE, SINGLE] = [33, 63, 47, 62, 34, 39]
const LONGEST_OPENING = '<!DOCTYPE'

function after(text: string, ending: string, from: number): number {
  const at = text.indexOf(ending, from + 2)
  return at < 0 ? -1 : at + ending.length
}

/** Finds the `>` that ends a tag, ignoring quoted values. */
function endOfTag(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === GREATER) return at
    if (code !== DOUBLE && code !== SINGLE) continue
    at = text.indexOf(code === DOUBLE ? '"' : "'", at + 1)
    if (at < 0) return -1
  }
  return -1
}

function endOfName(tag: string): number {
  const at = tag.search(/[\s/]/)
  return at < 0 ? tag.length : at
}

// Apple's exports begin with a DOCTYPE that lists elements. Skip it, but refuse entities and external files.
function declaration(text: string, from: number): number {
  const [subset, close] = [text.indexOf('[', from), text.indexOf('>', from)]
  if (subset < 0 && close < 0) return -1
  const hasSubset = subset >= 0 && (close < 0 || subset < close)
  const ending = /\]\s*>/g
  ending.lastIndex = subset
  const end = hasSubset ? (ending.test(text) ? ending.lastIndex : -1) : close + 1
  const whole = text.slice(from, end < 0 ? undefined : end)
  if (/<!ENTITY/i.test(whole)) refuse('This file declares entities, which no health app does. Nothing was imported.')
  if (/^<!DOCTYPE[^[]*\b(SYSTEM|PUBLIC)\b/i.test(whole))
    refuse('This file refers to another file. Nothing was imported.')
  return end
}

/** The attributes of a tag. Values are not unescaped. */
export function attributesOf(text: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [, name, double, single] of text.matchAll(/\s([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g))
    if (name && name !== '__proto__') found[name] = double ?? single ?? ''
  return found
}
