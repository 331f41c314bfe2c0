import process from 'node:process'
import { idsOfLine } from './trace.ts'

declare const GATEHOUSE_VERSION: string | undefined

/** The version of Gatehouse, which a build writes; undefined in code that was not built. */
export const VERSION = typeof GATEHOUSE_VERSION === 'undefined' ? undefined : GATEHOUSE_VERSION

type Fields = Readonly<Record<string, unknown>>

/**
 * Writes one line of JSON for each call, with the ids of the current work. Callers pass names and numbers, never a
 * secret, a token or a payload. Of an error under `cause` only the name, code, text and stack are written.
 */
export interface Log {
  info(message: string, fields?: Fields): void
  warn(message: string, fields?: Fields): void
  error(message: string, fields?: Fields): void
}

const MAXIMUM_DEPTH = 5

/**
 * The parts of an error that the log may contain: its name, code, text and stack, and those of its causes. Other
 * properties are left out, because clients keep whole requests there.
 */
function describe(cause: unknown, depth = 0): unknown {
  if (cause === undefined || depth > MAXIMUM_DEPTH) return undefined
  if (!(cause instanceof Error)) return typeof cause
  const { name, message, stack } = cause
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined
  return { name, code, message, stack, cause: describe(cause.cause, depth + 1) }
}

/**
 * Characters that JSON allows and on which a terminal or a line reader may act: DEL, C1 controls, line separators, and
 * those that reverse the direction of a text (Unicode UTS 55, "bidirectional controls").
 */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

function escapeUnsafe(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** One line of JSON without characters on which a terminal acts. */
export function jsonLine(value: object): string {
  return JSON.stringify(value).replaceAll(UNSAFE, escapeUnsafe)
}

/**
 * Writes metrics to standard output itself: AWS's runtime adds time, call and level to each line of the console, and
 * CloudWatch counts only lines that are JSON and nothing else (CloudWatch user guide, "Specification: Embedded metric
 * format").
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
        version: VERSION,
        ...idsOfLine(fields),
        ...fields,
        cause: describe(fields['cause']),
      }
      write(jsonLine(entry))
    }
  return { info: lineOf('INFO'), warn: lineOf('WARN'), error: lineOf('ERROR') }
}
