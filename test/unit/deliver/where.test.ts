import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import type { Where } from '../../../lib/config.ts'
import { whereRules } from '../../../lib/deliver/configured/where.ts'
import { unmetIn } from '../../../lib/deliver/where.ts'
import { parseJson } from '../../../lib/webhooks/json.ts'
import { AWS_ROWS, type Row, type Verdict } from './aws-patterns.ts'

const ANY = { '*': ['**'] }

const unmetOf = (where: object, json: string) => unmetIn(where as Where, { json: parseJson(Buffer.from(json)) })

function verdictOf(pattern: object, event: string): Verdict {
  const where = { json: pattern }
  return whereRules(where, ANY).length > 0 ? 'refused' : unmetOf(where, event).length === 0
}

/** The rows with another verdict than that of AWS. */
const others = (rows: readonly Row[]) =>
  rows.filter(([, pattern, event, verdict]) => verdictOf(pattern, event) !== verdict)

describe('a pattern', () => {
  it('has the verdict of AWS, for each documented example', () => {
    expect(AWS_ROWS.length).toBeGreaterThan(60)
    expect(others(AWS_ROWS)).toEqual([])
  })

  it('with another verdict is noticed', () => {
    const planted = AWS_ROWS.map(([source, pattern, event, verdict], index): Row => {
      return [source, pattern, event, index % 40 === 7 ? verdict !== true : verdict]
    })
    expect(others(planted)).toEqual(planted.filter((_, index) => index % 40 === 7))
    expect(others(planted)).toHaveLength(3)
  })

  it.each([
    ['the first member of each level', { a: { c: [1], b: [2] }, d: [3] }, '{"a":{"b":0,"c":0},"d":3}', ['json.a.b']],
    ['the member that most of a list lacks last', { a: { b: [1], c: [2] } }, '{"a":[{"b":1},{"c":2}]}', ['json.a.c']],
    ['a member of each alternative', { $or: [{ a: [1] }, { b: [1] }] }, '{}', ['json.a', 'json.b']],
    ['a text where a number is wanted', { a: [{ numeric: ['>', 1] }] }, '{"a":"2"}', ['json.a']],
    ['nothing of a member that is inherited', { constructor: [{ exists: true }] }, '{}', ['json.constructor']],
  ])('that does not match names %s', (_, json, event, members) => {
    expect(unmetOf({ json }, event)).toEqual(members)
  })

  it('matches the same in a list that is long and in texts that are alike', () => {
    const list = Array.from({ length: 10_000 }, (_, index) => ({ a: index, b: -index }))
    const text = JSON.stringify({ list, text: 'ab'.repeat(50_000) })
    const many = '*a'.repeat(1000)
    expect(unmetOf({ json: { list: { a: [9999], b: [-9999], c: [{ exists: false }] } } }, text)).toEqual([])
    expect(unmetOf({ json: { list: { a: [1], b: [-2] } } }, text)).toEqual(['json.list.b'])
    expect(unmetOf({ json: { text: [{ wildcard: `${many}*` }] } }, text)).toEqual([])
    expect(unmetOf({ json: { text: [{ wildcard: `${many}*c*` }] } }, text)).toEqual(['json.text'])
  })

  it('is read once, however many there are', () => {
    const event = { json: parseJson(Buffer.from('{"n":7}')) }
    const patterns = Array.from({ length: 1000 }, (_, n) => ({ json: { n: [n] } }))
    expect(patterns.filter((where) => unmetIn(where, event).length === 0)).toEqual([{ json: { n: [7] } }])
  })
})

/** So many objects, one in the other. */
const deep = (levels: number): object => (levels === 1 ? { a: [1] } : { a: deep(levels - 1) })

const alternatives = (count: number) => Array.from({ length: count }, (_, n) => ({ [`a${n}`]: [1] }))

const CYCLE: Record<string, unknown> = {}
CYCLE['a'] = CYCLE

const NO_MEMBER = 'is nothing that an event has: type, source, proof, headers or json'
const NEVER = 'cannot match: no event that comes here has such a value'
const SHAPE = 'must be a list of values and operators, or an object with members'
const FROM = { shop: ['orders/*'], stripe: ['charge.failed'] }

describe('a pattern is accepted', () => {
  it.each<[string, Where]>([
    ['with 20 levels', { json: deep(19) as { a: [] } }],
    ['with 4,096 characters', { json: { a: ['x'.repeat(4096 - '{"json":{"a":[""]}}'.length)] } }],
    ['with 1,000 combinations', { json: { $or: alternatives(40), b: { $or: alternatives(25) } } }],
    [
      'for each member of a proof',
      { proof: { level: ['full'], stale: [{ exists: false }], key: [{ prefix: 'shop#' }] } },
    ],
    ['for types and sources that may come', { type: ['orders/paid', 'other'], source: [{ suffix: 'pe' }] }],
    ['for a header', { headers: { 'content-type': [{ prefix: 'application/json' }], 'x-a': [{ exists: false }] } }],
    ['with alternatives of members', { $or: [{ type: ['charge.failed'] }, { proof: { idSigned: [true] } }] }],
  ])('%s', (_, where) => {
    expect(whereRules(where, FROM)).toEqual([])
  })
})

describe('a pattern is refused, with its place,', () => {
  it.each<[string, unknown, string, string]>([
    ['with 21 levels', { json: deep(20) }, `where.json${'.a'.repeat(19)}`, 'is deeper than 20 levels'],
    ['without an end', { json: CYCLE }, `where.json${'.a'.repeat(19)}`, 'is deeper than 20 levels'],
    [
      'with 4,097 characters',
      { json: { a: ['x'.repeat(4078)] } },
      'where',
      'must have at most 4096 characters of JSON',
    ],
    [
      'with 1,025 combinations',
      { json: { $or: alternatives(41), b: { $or: alternatives(25) } } },
      'where',
      'has more than 1000 combinations of $or',
    ],
    ['that is a list', [{ type: ['a'] }], 'where', SHAPE],
    ['of nothing', {}, 'where', SHAPE],
    ['for a value without a list', { json: { a: 1 } }, 'where.json.a', SHAPE],
    [
      'with another operator',
      { json: { a: [1, { cidr: '10.0.0.0/8' }] } },
      'where.json.a.1',
      'must have one of prefix, ',
    ],
    [
      'with an operand of another kind',
      { json: { a: [{ numeric: ['>', '5'] }] } },
      'where.json.a.0',
      'numeric has an ',
    ],
    [
      'with an operand that is no JSON',
      { json: { a: [{ numeric: ['>', Number.NaN] }] } },
      'where.json.a.0',
      'numeric ',
    ],
    [
      'with a list of lists as operand',
      { json: { a: [{ numeric: [['>'], 5] }] } },
      'where.json.a.0',
      'numeric has an ',
    ],
    [
      'with an operand of a wrong name',
      { json: { a: [{ 'anything-but': { '': 'x' } }] } },
      'where.json.a.0',
      'anything-',
    ],
    ['with a value that is no JSON', { json: { a: [1n] } }, 'where.json.a.0', 'must be a text, a number, '],
    ['with an alternative of nothing', { $or: [{ type: ['orders/paid'] }, {}] }, 'where.$or.1', SHAPE],
    [
      'with one alternative',
      { json: { $or: [{ a: [1] }] } },
      'where.json.$or',
      'must be a list of at least two objects',
    ],
    [
      'with a member beside and below $or',
      { json: { a: [1], $or: [{ a: [2] }, { b: [1] }] } },
      'where.json.a',
      'is there twice, beside $or and below it',
    ],
    ['for a member that no event has', { body: ['a'] }, 'where.body', NO_MEMBER],
    ['for a member that no proof has', { proof: { levels: ['full'] } }, 'where.proof.levels', NO_MEMBER],
    ['for members of a type', { type: { a: [1] } }, 'where.type.a', NO_MEMBER],
    ['for a header in upper case', { headers: { 'X-A': ['1'] } }, 'where.headers.X-A', 'must be in lower case, as '],
    ['for a level that there is not', { proof: { level: ['ful'] } }, 'where.proof.level', NEVER],
    ['for a proof without a key', { proof: { key: [{ exists: false }] } }, 'where.proof.key', NEVER],
    ['for a type that does not come', { type: ['order/paid'] }, 'where.type', NEVER],
    ['for a source that does not come', { source: ['github'] }, 'where.source', NEVER],
    ['for an absent type', { type: [{ exists: false }] }, 'where.type', NEVER],
  ])('%s', (_, where, place, message) => {
    const issues = whereRules(where, FROM)
    expect(issues.map(({ path }) => path.join('.'))).toEqual([place])
    expect(issues[0]?.message.slice(0, message.length)).toBe(message)
  })

  it('for a type, by an operator too, if all that come are known', () => {
    const from = { stripe: ['charge.failed'] }
    expect(whereRules({ type: [{ prefix: 'charge.' }] }, from)).toEqual([])
    expect(whereRules({ type: [{ prefix: 'orders/' }] }, from)).toEqual([{ path: ['where', 'type'], message: NEVER }])
  })
})
