import { type Logger, pino } from 'pino'

export type Log = Logger

/** Structured logs. Tokens, signatures and keys never reach them. */
export function createLog(level: string, name: string): Log {
  return pino({
    name,
    level,
    base: { name },
    redact: {
      paths: [
        'token',
        '*.token',
        'headers.token',
        'req.headers.token',
        'req.headers.authorization',
        'req.headers.dpop',
        'signature',
        '*.signature',
      ],
      censor: '[hidden]',
    },
  })
}
