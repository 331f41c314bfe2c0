import { Big } from 'big.js'
import type { Wanted, Where } from '../config.ts'
import { isMembers } from '../webhooks/configured/schema.ts'
import { valueAt } from '../webhooks/find.ts'
import { Numeral } from '../webhooks/json.ts'

type Test = (value: unknown) => boolean

/** What one member may be: a value that meets any of the tests. */
export interface Leaf {
  readonly path: readonly string[]
  readonly wanted: readonly Wanted[]
  readonly tests: readonly Test[]
  /** Whether it may be absent, too. */
  readonly canLack: boolean
}

/** Leaves that one event has to meet together, in the order of their paths: what may be absent depends on it. */
export type Combination = readonly Leaf[]

const compiled = new WeakMap<Where, readonly Combination[]>()

/**
 * The members of a pattern, such as `json.amount`, that an event does not meet; none if it matches. The verdicts are those
 * of EventBridge: of github.com/aws/event-ruler, where the documents of AWS say nothing.
 * @param where without a mistake
 * @param event its `json` is undefined for a body that is no JSON
 */
export function unmetIn(where: Where, event: { readonly json: unknown }): readonly string[] {
  const combinations = compiled.get(where) ?? combinationsOf(where)
  compiled.set(where, combinations)
  const unmet = combinations.map((leaves) => {
    const unreadable = leaves.find(({ path: [name] }) => name === 'json' && event.json === undefined)
    return unreadable ?? firstUnmet(leaves, 0, event)
  })
  return unmet.includes(undefined) ? [] : [...new Set(unmet.map((leaf) => leaf?.path.join('.') ?? ''))]
}

/** Each way to meet a pattern without a mistake: `$or` makes several. */
export function combinationsOf(where: object): readonly Combination[] {
  const pathOf = ({ path }: Leaf) => path.join('.')
  return waysIn(where, []).map((leaves) => leaves.toSorted((one, other) => (pathOf(one) < pathOf(other) ? -1 : 1)))
}

function waysIn(members: object, path: readonly string[]): readonly Combination[] {
  let ways: readonly Combination[] = [[]]
  for (const [name, value] of Object.entries(members)) {
    const found = name === '$or' ? value.flatMap((one: object) => waysIn(one, path)) : waysOf(value, [...path, name])
    ways = ways.flatMap((before) => found.map((more: Combination) => [...before, ...more]))
  }
  return ways
}

function waysOf(value: readonly Wanted[] | object, path: readonly string[]): readonly Combination[] {
  if (!Array.isArray(value)) return waysIn(value, path)
  const tests = value.flatMap((one) => testOf(one) ?? [])
  return [[{ path, wanted: value, tests: tests.filter((one) => one !== isAbsent), canLack: tests.includes(isAbsent) }]]
}

/** @param needed must be there in this element of a list, because it is there in another one */
function firstUnmet(leaves: Combination, depth: number, value: unknown, needed?: Leaf): Leaf | undefined {
  if (Array.isArray(value)) return firstUnmetInList(leaves, depth, value, needed)
  const own = leaves.filter(({ path }) => path.length === depth).find((leaf) => !isMet(leaf, value, needed))
  if (own) return own
  for (const name of new Set(leaves.flatMap(({ path }) => path.slice(depth, depth + 1)))) {
    const below = leaves.filter(({ path }) => path[depth] === name)
    const unmet = firstUnmet(below, depth + 1, valueAt(value, [name]), needed)
    if (unmet) return unmet
  }
  return undefined
}

/** One element has to meet all. But what stands before the first leaf that is there must be absent from every element. */
function firstUnmetInList(leaves: Combination, depth: number, list: readonly unknown[], needed?: Leaf) {
  const first = leaves.find((leaf) => !leaf.canLack || leaf === needed || isThere(list, leaf.path.slice(depth)))
  if (!first || first.tests.length === 0) return first
  let furthest = first
  for (const element of list) {
    const unmet = firstUnmet(leaves, depth, element, first)
    if (!unmet) return undefined
    if (leaves.indexOf(unmet) > leaves.indexOf(furthest)) furthest = unmet
  }
  return furthest
}

function isThere(value: unknown, path: readonly string[]): boolean {
  if (Array.isArray(value)) return value.some((element) => isThere(element, path))
  const [name, ...below] = path
  return name === undefined ? isValue(value) : isThere(valueAt(value, [name]), below)
}

function isValue(value: unknown): boolean {
  return value === null || value instanceof Numeral || !['object', 'undefined'].includes(typeof value)
}

export function isMet(leaf: Leaf, value: unknown, needed?: Leaf): boolean {
  return isValue(value) ? leaf.tests.some((test) => test(value)) : leaf.canLack && leaf !== needed
}

const isAbsent: Test = () => false

/** The test that an operator with this operand is; undefined if it can have no such operand. */
export const OPERATORS: Readonly<Record<string, (operand: unknown) => Test | undefined>> = {
  prefix: (operand) => affix(operand, false),
  suffix: (operand) => affix(operand, true),
  'equals-ignore-case': (operand) => forText(operand, (wanted, text) => reach(wanted, text) === text.length),
  wildcard,
  'anything-but': anythingBut,
  numeric,
  exists: (operand) => (operand === false ? isAbsent : operand === true ? () => true : undefined),
}

/** The test that a value or an operator stands for; undefined for what is neither. */
export function testOf(wanted: unknown): Test | undefined {
  const [name = '', operand] = onlyMember(wanted) ?? []
  if (Object.hasOwn(OPERATORS, name)) return OPERATORS[name]?.(operand)
  if (Number.isFinite(wanted)) return (value) => numberOf(value) === wanted
  const isPlain = wanted === null || typeof wanted === 'string' || typeof wanted === 'boolean'
  return isPlain ? (value) => value === wanted : undefined
}

function onlyMember(value: unknown): readonly [name: string, value: unknown] | undefined {
  const [first, ...more] = isMembers(value) ? Object.entries(value) : []
  return more.length === 0 ? first : undefined
}

function forText(wanted: unknown, test: (wanted: string, text: string) => boolean): Test | undefined {
  return typeof wanted === 'string' ? (value) => typeof value === 'string' && test(wanted, value) : undefined
}

function affix(operand: unknown, isSuffix: boolean): Test | undefined {
  const [name, folded] = onlyMember(operand) ?? []
  if (name === 'equals-ignore-case') return forText(folded, (wanted, text) => reach(wanted, text, isSuffix) >= 0)
  return forText(operand, (wanted, text) => (isSuffix ? text.endsWith(wanted) : text.startsWith(wanted)))
}

function anythingBut(operand: unknown): Test | undefined {
  const [name, unwanted] = onlyMember(operand) ?? [undefined, operand]
  const values = [unwanted].flat()
  const kinds = new Set(values.map((one) => (one === '' && name?.endsWith('fix') ? 'nothing' : typeof one)))
  const isRight = kinds.size === 1 && (kinds.has('string') || (kinds.has('number') && name === undefined))
  const tests = values.map((one) => testOf(name === undefined ? one : { [name]: one }))
  if (!isRight || name === 'anything-but' || tests.includes(undefined)) return undefined
  return (value) => !tests.some((test) => test?.(value))
}

function numeric(operand: unknown): Test | undefined {
  const parts = Array.isArray(operand) ? operand : []
  const [sign, bound, end = sign, top = bound] = parts
  const isRange = /^>=? <=?$/.test(`${sign} ${end}`) && parts.length === 4 && bound < top
  const isOne = /^(?:=|[<>]=?)$/.test(sign) && parts.length === 2
  const isRight = typeof sign === 'string' && typeof end === 'string' && Number.isFinite(bound) && Number.isFinite(top)
  if (!isRight || !(isOne || isRange)) return undefined
  return (value) => compares(numberOf(value), sign, bound) && compares(numberOf(value), end, top)
}

function compares(number: number, sign: string, bound: number): boolean {
  if (number === bound) return sign.endsWith('=')
  return number < bound ? sign.startsWith('<') : number > bound && sign.startsWith('>')
}

/** NaN also for a number that a double does not hold exactly: AWS compares none of those. */
function numberOf(value: unknown): number {
  if (!(value instanceof Numeral)) return Number.NaN
  const number = Number(value.text)
  return Number.isFinite(number) && new Big(value.text).eq(String(number)) ? number : Number.NaN
}

/** Where letters of any case at the beginning of a text end, or those at its end begin; -1 if others are there. */
function reach(letters: string, text: string, isFromEnd = false): number {
  let at = isFromEnd ? text.length : 0
  for (const letter of isFromEnd ? [...letters].reverse() : letters) {
    const isHere = (form: string) => (isFromEnd ? text.endsWith(form, at) : text.startsWith(form, at))
    const form = [letter.toLowerCase(), letter.toUpperCase()].find(isHere)
    if (form === undefined) return -1
    at += isFromEnd ? -form.length : form.length
  }
  return at
}

/** `*` is any text, and itself behind a backslash. Takes time in proportion to the text. */
function wildcard(operand: unknown): Test | undefined {
  const tokens = typeof operand === 'string' ? (operand.match(/\*|(?:[^\\*]|\\[\\*])+/gs) ?? []) : []
  const parts = ['']
  for (const token of tokens) {
    if (token === '*') parts.push('')
    else parts.splice(-1, 1, token.replaceAll(/\\(.)/gs, '$1'))
  }
  const [first = '', ...middle] = parts
  const last = middle.pop()
  if (tokens.join('') !== operand || middle.includes('')) return undefined
  if (last === undefined) return forText(operand, (_, text) => text === first)
  return forText(operand, (_, text) => {
    const end = text.length - last.length
    const after = (at: number, part: string) =>
      text.includes(part, at) ? text.indexOf(part, at) + part.length : end + 1
    return middle.reduce(after, text.startsWith(first) ? first.length : end + 1) <= end && text.endsWith(last)
  })
}
