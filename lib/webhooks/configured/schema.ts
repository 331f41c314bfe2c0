import * as z from 'zod/mini'
import { isHeaderName } from './template.ts'

/** In minutes. */
const UNITS: Readonly<Record<string, number>> = { m: 1, h: 60, d: 1440 }

const SPAN = /^([1-9]\d{0,4})([mhd])$/

/** A span of time in milliseconds: `90m`, `2h` or `7d`; NaN for any other text. */
export function spanMs(text: string): number {
  const [, count, unit = ''] = SPAN.exec(text) ?? []
  return Number(count) * (UNITS[unit] ?? Number.NaN) * 60_000
}

/** A broken rule and the field that broke it. */
export interface Issue {
  readonly path: readonly PropertyKey[]
  readonly message: string
}

/** A rule over several fields: the field that the issue names, the message, and whether the rule is broken. */
export type FieldCheck = readonly [field: string, message: string, isBroken: boolean]

/** Whether a value is an object, and no list. */
export function isMembers(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The issues of the broken rules. */
export function broken(checks: readonly FieldCheck[]): readonly Issue[] {
  return checks.flatMap(([field, message, isBroken]) =>
    isBroken ? [{ path: field === '' ? [] : field.split('.'), message }] : [],
  )
}

export const headerName = z
  .string('must be the name of a header')
  .check(z.refine(isHeaderName, 'must be the name of a header'))

export const memberPath = z
  .string('must be names of members, joined with dots')
  .check(z.regex(/^[^.]{1,128}(?:\.[^.]{1,128}){0,15}$/, 'must be at most 16 names of members, joined with dots'))

export const someText = z
  .string('must be a text')
  .check(z.minLength(1, 'must not be empty'), z.maxLength(256, 'is too long'))

export function object<T extends Parameters<typeof z.strictObject>[0]>(shape: T) {
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? `has unknown fields: ${namesIn(issue.keys)}` : 'must be an object',
  })
}

function namesIn(keys: readonly string[]): string {
  return keys
    .slice(0, 5)
    .map((key) => JSON.stringify(key.slice(0, 64)))
    .join(', ')
}

export function oneWordOf<const T extends readonly string[]>(...words: T) {
  return z.enum(words, `must be one of ${words.join(', ')}`)
}

export function between(minimum: number, maximum: number, kind = 'a number') {
  const rule = `must be ${kind} from ${minimum} to ${maximum}`
  const schema = kind === 'a number' ? z.number(rule) : z.int(rule)
  return schema.check(z.gte(minimum, rule), z.lte(maximum, rule))
}

/** Exactly one of these fields, and possibly others. */
export function either(names: readonly string[], shape: Parameters<typeof z.strictObject>[0]) {
  return object(shape).check(
    z.refine(
      (given) => names.filter((name) => given[name] !== undefined).length === 1,
      `must have one of ${names.join(', ')}`,
    ),
  )
}

/** The field, a colon and the rule. */
export function problemAt(where: readonly string[], { path, message }: Issue): string {
  const field = [...where, ...path].map((name) => shown(String(name))).join('.')
  return `${field || 'the configuration'}: ${message}`
}

/** A name in a form that a message may contain. */
function shown(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : JSON.stringify(name.slice(0, 64))
}
