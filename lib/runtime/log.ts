import process from 'node:process'
import { idsOfLine } from './correlation.ts'

type Fields = Readonly<Record<string, unknown>>

/**
 * Writes one line of JSON for each call, with the ids of the work at hand. Callers pass names and numbers, never a secret, a token or a payload; of an error
 * under `cause` only its name, code, text and stack are written.
 */
export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

const MAXIMUM_DEPTH = 5

/**
 * What an error may leave in the log: its own name, code, text and stack, and those of its causes. Other properties stay
 * out, because clients keep whole requests there.
 */
function describe(cause: unknown, depth = 0): unknown {
  if (cause === undefined || depth > MAXIMUM_DEPTH) return undefined
  if (!(cause instanceof Error)) return typeof cause
  const { name, message, stack } = cause
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  return { name, code, message, stack, cause: describe(cause.cause, depth + 1) }
}

/**
 * Characters that JSON lets through and a terminal or a line reader may act on: DEL, C1 controls, line separators, and
 * those that turn the direction of a text around (Unicode UTS 55, "bidirectional controls").
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

function escapeUnsafe(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** One line of JSON that no terminal acts on. */
export function jsonLine(value: object): string {
  return JSON.stringify(value).replaceAll(UNSAFE, escapeUnsafe)
}

/**
 * AWS's runtime writes time, call and level before a line of the console, and CloudWatch counts only what is JSON and nothing
 * else (CloudWatch user guide, "Specification: Embedded metric format").
 */
function print(line: string): void {
  if (line.includes('"_aws":')) process.stdout.write(`${line}\n`)
  else console.log(line)
}

/** A log on standard output, which Lambda takes line by line. */
export function consoleLog(now: () => Date, write: (line: string) => void = print): Log {
  const lineOf =
    (level: string) =>
    (message: string, fields: Fields = {}) => {
      const entry = {
        timestamp: now().toISOString(),
        level,
        message,
        ...idsOfLine(fields),
        ...fields,
        cause: describe(fields['cause']),
      }
      write(jsonLine(entry))
    }
  return { info: lineOf('INFO'), warn: lineOf('WARN'), error: lineOf('ERROR') }
}
