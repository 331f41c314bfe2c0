import { describe, expect, it } from 'vitest'
import type { Proof, SignatureScheme } from '../../../lib/webhooks/schemes/scheme.ts'
import { SCHEMES } from '../../../lib/webhooks/schemes/table.ts'
import { verify } from '../../../lib/webhooks/verify.ts'
import { fuzz } from '../../support/fuzz/run.ts'
import { SEEDS, type Seed } from '../../support/fuzz/seeds.ts'
import { UNSIGNED } from '../../support/fuzz/unsigned.ts'

describe('W37 changed calls', () => {
  it('200,000 of them throw nothing and are accepted only where nothing signed was changed', {
    timeout: 60_000,
  }, () => {
    const { falseAccepts, thrown, harmless } = fuzz({ seeds: SEEDS, mutations: 200_000, start: 20_261_121 })
    expect(falseAccepts).toEqual([])
    expect(thrown).toEqual([])
    expect(harmless).toBeGreaterThan(0)
  })

  it('come from every scheme', () => {
    const covered = new Set(SEEDS.map(({ scheme }) => scheme))
    expect(Object.values(SCHEMES).filter((scheme) => !covered.has(scheme))).toEqual([])
  })
})

describe('what a provider does not sign', () => {
  it('is written down for every one of them', () => {
    expect(Object.keys(UNSIGNED)).toEqual([...new Set(SEEDS.map(({ kind }) => kind))].sort())
  })

  const places = Object.entries(UNSIGNED).flatMap(([kind, { places = [] }]) => places.map((place) => ({ kind, place })))

  it.each(places)('may be changed: $place of $kind', ({ kind, place }) => {
    for (const seed of SEEDS.filter((one) => one.kind === kind)) {
      const change =
        place === 'body' ? { body: Buffer.from('other') } : { headers: { ...seed.call.headers, [place]: 'other' } }
      expect(verify({ ...seed.call, ...change }, seed).ok).toBe(true)
    }
  })
})

describe('the search finds a verifier that', () => {
  /** The seeds of one scheme, which reads its proof otherwise than it should. */
  const seedsWith = (broken: (proof: Proof, scheme: SignatureScheme) => Proof): readonly Seed[] =>
    SEEDS.filter(({ kind }) => kind === 'github').map((seed) => {
      const read: SignatureScheme['read'] = (call) => {
        const proof = seed.scheme.read({ ...call, body: call.body.subarray(0, seed.call.body.length) })
        return proof && broken(proof, seed.scheme)
      }
      return { ...seed, scheme: { ...seed.scheme, read } }
    })

  it('signs a part of the body', () => {
    const { falseAccepts } = fuzz({ seeds: seedsWith((proof) => proof), mutations: 2000, start: 1 })
    expect(falseAccepts.length).toBeGreaterThan(0)
    expect(new Set(falseAccepts.flatMap(({ places }) => places))).toEqual(new Set(['body']))
  })

  it('throws', () => {
    const broken = () => {
      throw new RangeError('broken')
    }
    const { thrown } = fuzz({ seeds: seedsWith(broken), mutations: 200, start: 1 })
    expect(thrown[0]).toMatchObject({ kind: 'github', error: { message: 'broken' } })
  })

  it('the same way for the same start', () => {
    const search = () => fuzz({ seeds: seedsWith((proof) => proof), mutations: 2000, start: 5 }).falseAccepts
    const [first] = search()
    expect(
      first && fuzz({ seeds: seedsWith((proof) => proof), mutations: 1, start: first.start }).falseAccepts,
    ).toEqual([first])
    expect(search()[0]).toEqual(first)
  })
})
