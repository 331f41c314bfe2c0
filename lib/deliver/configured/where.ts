import { broken, type Issue, isMembers } from '../../webhooks/configured/schema.ts'
import { PROOF_LEVELS } from '../../webhooks/event.ts'
import { matchesGlob } from '../match.ts'
import { combinationsOf, isMet, type Leaf, OPERATORS, testOf } from '../where.ts'

const MAXIMUM = { levels: 20, characters: 4096, combinations: 1000 }

/** The types of events by the name of their source. */
type From = Readonly<Record<string, readonly string[]>>

/** What is wrong with a pattern: what AWS refuses, what is not supported, and members that no event from there can have. */
export function whereRules(where: unknown, from: From): readonly Issue[] {
  const shape = membersRules(where, ['where'], 1)
  if (shape.length > 0 || !isMembers(where)) return shape
  const isLong = JSON.stringify(where).length > MAXIMUM.characters
  const large = broken([
    ['where', `must have at most ${MAXIMUM.characters} characters of JSON`, isLong],
    ['where', `has more than ${MAXIMUM.combinations} combinations of $or`, waysThrough(where) > MAXIMUM.combinations],
  ])
  if (large.length > 0) return large
  const found = combinationsOf(where).flatMap((leaves) =>
    leaves.flatMap((leaf, index) => leafRules(leaf, leaves[index + 1], from)),
  )
  return [...new Map(found.map((issue) => [issue.path.join('.'), issue])).values()]
}

function membersRules(given: unknown, path: readonly string[], level: number): readonly Issue[] {
  if (!isMembers(given) || Object.keys(given).length === 0)
    return [{ path, message: 'must be a list of values and operators, or an object with members' }]
  if (level > MAXIMUM.levels) return [{ path, message: `is deeper than ${MAXIMUM.levels} levels` }]
  return Object.entries(given).flatMap(([name, value]) => memberRules(name, value, path, level))
}

function memberRules(name: string, value: unknown, above: readonly string[], level: number): readonly Issue[] {
  const path = [...above, name]
  const isList = Array.isArray(value) && value.length > 0
  if (name === '$or')
    return isList && value.length > 1
      ? value.flatMap((one, index) => membersRules(one, [...path, `${index}`], level + 1))
      : [{ path, message: 'must be a list of at least two objects' }]
  if (above.includes('$or') && Object.hasOwn(OPERATORS, name))
    return [{ path, message: 'is an operator, and below $or no member' }]
  if (!isList) return membersRules(value, path, level + 1)
  return value.flatMap((one, index) => (testOf(one) ? [] : [{ path: [...path, index], message: faultOf(one) }]))
}

function faultOf(wanted: unknown): string {
  if (!isMembers(wanted)) return 'must be a text, a number, true, false, null or an operator'
  const [name = '', ...more] = Object.keys(wanted)
  const isKnown = more.length === 0 && Object.hasOwn(OPERATORS, name)
  return isKnown
    ? `${name} has an operand that it cannot have`
    : `must have one of ${Object.keys(OPERATORS).join(', ')}`
}

/** The number of combinations of a pattern. */
function waysThrough(members: object): number {
  const ways = Object.entries(members).map(([name, value]) => {
    if (name === '$or') return value.reduce((sum: number, one: object) => sum + waysThrough(one), 0)
    return Array.isArray(value) ? 1 : waysThrough(value)
  })
  return ways.reduce((product, one) => product * one, 1)
}

function leafRules(leaf: Leaf, next: Leaf | undefined, from: From): readonly Issue[] {
  const { path, tests } = leaf
  const [name, header = ''] = path
  const field = path.join('.')
  const isFree = name === 'json' || (name === 'headers' && path.length === 2)
  const known = new Map(knownValues(leaf, from))
  const values = known.get(field)
  const canMatch = values ? values.some((value) => isMet(leaf, value)) : tests.length > 0
  return broken([
    ['', 'is there twice, beside $or and below it', next?.path.join('.') === field],
    ['', 'must be in lower case, as stored headers are', isFree && header !== header.toLowerCase() && name !== 'json'],
    ['', 'is nothing that an event has: type, source, proof, headers or json', !isFree && !known.has(field)],
    ['', 'cannot match: no event that comes here has such a value', known.has(field) && !canMatch],
  ]).map(({ message }) => ({ path: ['where', ...path], message }))
}

/** The values that members of an event from there may have; undefined for any. */
function knownValues({ wanted }: Leaf, from: From): readonly (readonly [string, readonly unknown[] | undefined])[] {
  const globs = Object.values(from).flat()
  const isOpen = globs.some((glob) => glob.includes('*'))
  const isGiven = (type: unknown) => typeof type === 'string' && globs.some((glob) => matchesGlob(glob, type))
  return [
    ['type', isOpen && wanted.some(isMembers) ? undefined : isOpen ? wanted.filter(isGiven) : globs],
    ['source', Object.hasOwn(from, '*') ? undefined : Object.keys(from)],
    ['proof.level', PROOF_LEVELS],
    ['proof.key', undefined],
    ['proof.signedAt', undefined],
    ['proof.typeSigned', [true, false]],
    ['proof.idSigned', [true, false]],
    ['proof.stale', [true, undefined]],
  ]
}
