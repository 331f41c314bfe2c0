import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Where } from '../../../lib/config.ts'
import { destinationsFor, isGlob, matchesGlob, unmetBy } from '../../../lib/deliver/match.ts'
import { EVENT } from '../../support/fakes/deliveries.ts'

describe('a glob', () => {
  it.each([
    ['payment_intent.*', 'payment_intent.succeeded', true],
    ['payment_intent.*', 'payment_intent', false],
    ['**', '', true],
    ['customer.**', 'customers.created', false],
    ['**.created', 'customer.subscription.created', true],
    ['a.**.z', 'a.b.c.z', true],
    ['orders.**', 'orders/paid', false],
    ['a', 'A', false],
    ['a.b', 'axb', false],
  ])('%s of %s: %s', (glob, type, matches) => {
    expect(matchesGlob(glob, type)).toBe(matches)
  })

  it.each(['a', '*', '**', 'a.*', 'a/**/b', 'order paid', 'A_b-c.d'])('may be %s', (text) => {
    expect(isGlob(text)).toBe(true)
  })

  it.each(['', 'a.', '.a', 'a..b', 'a/', 'a*', '*a', '***', 'a.b*', '*.**a'])('may not be %j', (text) => {
    expect(isGlob(text)).toBe(false)
  })
})

it('what the service says of itself goes to whom that asks for it by name, and `*` does not mean it', () => {
  const of = (source: string) => unmetBy({ ...EVENT, source })
  for (const from of [{ '*': ['**'] }, { shop: ['**'] }]) {
    expect(of('gatehouse')({ from: new Map(Object.entries(from)) })).toEqual(['from'])
    expect(of('shop')({ from: new Map(Object.entries(from)) })).toEqual([])
  }
  expect(of('gatehouse')({ from: new Map([['gatehouse', ['**']]]) })).toEqual([])
})

const SEGMENT = fc.constantFrom('a', 'b', 'c')
const SEPARATOR = fc.constantFrom('.', '/')

function joined(segment: fc.Arbitrary<string>) {
  return fc
    .tuple(segment, fc.array(fc.tuple(SEPARATOR, segment), { maxLength: 5 }))
    .map(([first, others]) => first + others.flat().join(''))
}

const TYPE = joined(SEGMENT)
const GLOB = joined(fc.oneof(SEGMENT, fc.constantFrom('*', '**')))

/** The same by trying every way to divide the type. */
function means(glob: readonly string[], type: readonly string[], isFirst = true): boolean {
  const [part, ...parts] = glob
  if (part === undefined) return type.length === 0
  const word = part.replace(/^[./]/, '')
  const [segment, ...segments] = type
  const begins = segment !== undefined && (isFirst || segment[0] === part[0])
  if (word !== '**')
    return begins && (word === '*' || segment.replace(/^[./]/, '') === word) && means(parts, segments, false)
  const ends = type.map((_, index) => type.slice(index + 1))
  return means(parts, type, isFirst) || (begins && ends.some((rest) => means(parts, rest, false)))
}

const divided = (text: string) => text.split(/(?=[./])/)

describe('any glob', () => {
  it('matches the same types as an exhaustive search', () => {
    const seen = { yes: 0, no: 0 }
    fc.assert(
      fc.property(GLOB, TYPE, (glob, type) => {
        const matches = means(divided(glob), divided(type))
        seen[matches ? 'yes' : 'no'] += 1
        expect(isGlob(glob)).toBe(true)
        expect(matchesGlob(glob, type), `${glob} of ${type}`).toBe(matches)
      }),
      { numRuns: 3000 },
    )
    expect(Math.min(seen.yes, seen.no)).toBeGreaterThan(200)
  })

  it('matches in negligible time for any number of stars and any length of the type', () => {
    expect(matchesGlob(`${'**.a.'.repeat(50)}b`, `${'a.'.repeat(2000)}c`)).toBe(false)
  })
})

describe('an event is sent', () => {
  const destinations = [
    { name: 'all', from: new Map([['*', ['**']]]) },
    {
      name: 'both',
      from: new Map([
        ['*', ['payment_intent.*']],
        ['stripe', ['payment_intent.*', '**']],
      ]),
    },
    { name: 'github', from: new Map([['github', ['**']]]) },
  ]

  it.each([
    [
      'to every destination that names its source or all sources, once',
      'stripe',
      'payment_intent.created',
      ['all', 'both'],
    ],
    ['to those that name its type', 'zoom', 'payment_intent.created', ['all', 'both']],
    ['to no others', 'zoom', 'meeting.started', ['all']],
    ['to none by an inherited name', 'constructor', 'a', ['all']],
  ])('%s', (_, source, eventType, names) => {
    const found = destinationsFor(destinations, { ...EVENT, source, eventType })
    expect(found.map(({ name }) => name)).toEqual(names)
  })

  it.each<[string, Where, object, readonly string[]]>([
    ['its body', { json: { amount: [{ numeric: ['>', 100] }] } }, { payload: Buffer.from('{"amount":100.5}') }, []],
    ['its body', { json: { amount: [1] } }, { payload: Buffer.from('{"amount":2}') }, ['where.json.amount']],
    ['a body that is no JSON', { json: { a: [{ exists: false }] } }, { payload: Buffer.from('a=1') }, ['where.json.a']],
    ['a body that is no JSON', { $or: [{ json: { a: [1] } }, { type: ['TEST'] }] }, { payload: Buffer.from('a') }, []],
    [
      'a body under a coding',
      { json: { a: [1] } },
      { payload: Buffer.from('{"a":1}'), headers: { 'content-encoding': 'gzip' } },
      ['where.json.a'],
    ],
    ['a payload that was deleted', { json: { a: [1] } }, { payload: undefined }, ['where.json.a']],
    ['its headers', { headers: { 'x-a': ['1'] } }, { headers: { 'x-a': '1' } }, []],
    ['its source and type', { source: ['test'], type: ['OTHER'] }, {}, ['where.type']],
    [
      'its proof',
      { proof: { level: ['full', 'body'], key: [null], stale: [{ exists: false }] } },
      {},
      ['where.proof.level'],
    ],
  ])('as %s says', (_, where, part, unmet) => {
    const of = unmetBy({ ...EVENT, source: 'test', eventType: 'TEST', ...part })
    expect(of({ from: new Map([['*', ['**']]]), where })).toEqual(unmet)
  })

  it('to none without destinations', () => {
    expect(destinationsFor([], EVENT)).toEqual([])
  })
})
