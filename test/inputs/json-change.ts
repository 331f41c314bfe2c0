import { Buffer } from 'node:buffer'
import type { Random } from '../support/random.ts'

/** Values that readers of JSON trip over. */
const VALUES = [
  ...['null', 'true', '0', '-1', '0.1', '1e400', '-0', '12345678901234567890.10', '""', '"x"', '[]', '{}', '[[[]]]'],
  ...['"\\u0000"', '"\\ud800"', '"2026-01-01T00:00:00"', '"0.01"', '{"__proto__":{"polluted":1}}'],
  ...[`"${'x'.repeat(3000)}"`, '{"constructor":{"prototype":{"polluted":1}}}', '[null]', '{"a":1,"a":2}'],
]

const NAMES = ['__proto__', 'constructor', 'toString', 'length', '', 'id', 'type', 'eventId', 'data', 'object']

interface Piece {
  readonly start: number
  readonly end: number
}

/** JSON with one value, or one name, in place of another; also of what is no JSON as long as it has values in it. */
export function changedJson(input: Buffer, random: Random): Buffer {
  const text = input.toString('latin1')
  const values = piecesOf(
    text,
    /"(?:[^"\\]|\\.)*"(?!\s*:)|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?|true|false|null|\{[^{}]*\}|\[[^[\]]*\]/gi,
  )
  const names = piecesOf(text, /"(?:[^"\\]|\\.)*"(?=\s*:)/g)
  if (names.length > 0 && random.chance(0.25))
    return replaced(text, random.pick(names), JSON.stringify(random.pick(NAMES)))
  if (values.length === 0) return Buffer.from(random.pick(VALUES))
  const place = random.pick(values)
  const value = random.chance(0.2) ? textOf(text, random.pick(values)) : random.pick(VALUES)
  return replaced(text, place, random.chance(0.1) ? nested(value, random.below(150)) : value)
}

function piecesOf(text: string, pattern: RegExp): readonly Piece[] {
  return [...text.matchAll(pattern)].map(({ index, 0: found }) => ({ start: index, end: index + found.length }))
}

function textOf(text: string, { start, end }: Piece): string {
  return text.slice(start, end)
}

function replaced(text: string, { start, end }: Piece, value: string): Buffer {
  return Buffer.from(text.slice(0, start) + value + text.slice(end), 'latin1')
}

function nested(value: string, depth: number): string {
  return '['.repeat(depth) + value + ']'.repeat(depth)
}
