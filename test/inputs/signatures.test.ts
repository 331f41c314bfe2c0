import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../lib/webhooks/providers/index.ts'
import { verify } from '../../lib/webhooks/verify.ts'
import { seeded } from '../support/random.ts'
import { SEEDS } from './signatures/seeds.ts'
import { signatureTarget } from './signatures/target.ts'
import { UNSIGNED } from './signatures/unsigned.ts'

it('changed calls come from every scheme', () => {
  const covered = new Set(SEEDS.map(({ scheme }) => scheme))
  expect(Object.values(PROVIDERS).filter(({ scheme }) => !covered.has(scheme))).toEqual([])
})

it('W37 5,000 changed calls throw nothing and are accepted only if no signed part was changed', () => {
  const { seeds, change, run } = signatureTarget(SEEDS)
  const random = seeded(20_261_121)
  for (let tried = 0; tried < 5000; tried++) {
    let call = random.pick(seeds)
    for (let left = 1 + random.below(4); left > 0; left--) call = change(call, random)
    run(call)
  }
})

describe('the parts that a provider does not sign', () => {
  const places = Object.entries(UNSIGNED).flatMap(([kind, { places = [] }]) => places.map((place) => ({ kind, place })))

  it.each(places)('can be changed: $place of $kind', ({ kind, place }) => {
    for (const seed of SEEDS.filter((one) => one.kind === kind)) {
      const change =
        place === 'body' ? { body: Buffer.from('other') } : { headers: { ...seed.call.headers, [place]: 'other' } }
      expect(verify({ ...seed.call, ...change }, seed).ok).toBe(true)
    }
  })
})
