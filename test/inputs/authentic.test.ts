import { Buffer } from 'node:buffer'
import { expect, it } from 'vitest'
import { PROVIDERS } from '../../lib/webhooks/providers/index.ts'
import { seeded } from '../support/random.ts'
import { authenticCalls, type Fate, fateOf } from './authentic/target.ts'
import { WAYS } from './authentic/ways.ts'
import { changedBytes, piecesOf } from './changes.ts'

it('every provider signs', () => {
  const names = new Set(['generic', ...WAYS.map(({ name }) => name)])
  expect(Object.keys(PROVIDERS).filter((name) => !names.has(name))).toEqual([])
})

it('no signed body is refused or lost: 4,000 changed bodies of every scheme', async () => {
  const { seeds, change, dictionary = [] } = authenticCalls
  const random = seeded(20_261_123)
  const pieces = piecesOf(dictionary)
  const fates = new Map<number, Set<Fate>>()
  for (let tried = 0; tried < 4000; tried++) {
    const seed = random.pick(seeds)
    let body = seed.subarray(2)
    for (let left = 1 + random.below(4); left > 0; left--) {
      body =
        random.chance(0.5) && change
          ? change(Buffer.concat([seed.subarray(0, 2), body]), random).subarray(2)
          : changedBytes(body, random, pieces)
    }
    const index = seed[0] ?? 0
    const fate = await fateOf(Buffer.concat([seed.subarray(0, 2), body]))
    fates.set(index, (fates.get(index) ?? new Set()).add(fate))
  }
  expect(WAYS.map((_, index) => fates.get(index)?.has('stored'))).toEqual(WAYS.map(() => true))
})
