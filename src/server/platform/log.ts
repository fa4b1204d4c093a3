import { type DestinationStream, type Logger, pino } from 'pino'
import { escapeUnsafe, redactUrls } from './redact.ts'

export type Log = Logger

/** Structured logs, one line of JSON per record. Tokens, signatures, keys and the secrets in URLs never reach them. */
export function createLog(level: string, name: string, destination: DestinationStream = pino.destination(1)): Log {
  const options = {
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
    // Applied to the finished line, so that no field, message or nested error is missed.
    hooks: { streamWrite: (line: string) => escapeUnsafe(redactUrls(line)) },
  }
  return pino(options, destination)
}
