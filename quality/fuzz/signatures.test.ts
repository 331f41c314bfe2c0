import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../lib/webhooks/providers/index.ts'
import type { Proof, SignatureScheme } from '../../lib/webhooks/schemes/scheme.ts'
import { verify } from '../../lib/webhooks/verify.ts'
import { SEEDS, type Seed } from '../../test/support/signature-seeds.ts'
import { NO_COVERAGE } from './coverage.ts'
import { hunt } from './hunt.ts'
import { signatureTarget } from './signatures/target.ts'
import { UNSIGNED } from './signatures/unsigned.ts'

it('changed calls come from every scheme', () => {
  const covered = new Set(SEEDS.map(({ scheme }) => scheme))
  expect(Object.values(PROVIDERS).filter(({ scheme }) => !covered.has(scheme))).toEqual([])
})

it('W37 20,000 changed calls throw nothing and are accepted only where nothing signed was changed', async () => {
  const { findings } = await hunt(signatureTarget(SEEDS), { inputs: 20_000, seed: 20_261_121, coverage: NO_COVERAGE })
  expect(findings).toEqual([])
})

describe('what a provider does not sign', () => {
  it('is written down of those that sign', () => {
    const kinds = new Set(SEEDS.map(({ kind }) => kind))
    expect(Object.keys(UNSIGNED).filter((kind) => !kinds.has(kind))).toEqual([])
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

  const search = (broken: (proof: Proof, scheme: SignatureScheme) => Proof, seed = 1) =>
    hunt(signatureTarget(seedsWith(broken)), { inputs: 500, seed, coverage: NO_COVERAGE })

  it('signs a part of the body', async () => {
    const { findings } = await search((proof) => proof)
    expect(findings.map(({ problem }) => problem)).toEqual(['Error: github: accepted with another body'])
  })

  it('throws', async () => {
    const { findings } = await search(() => {
      throw new RangeError('broken')
    })
    expect(findings.map(({ problem }) => problem)).toEqual(['RangeError: broken'])
  })

  it('the same way for the same seed', async () => {
    const { findings } = await search((proof) => proof, 5)
    expect(findings).toEqual((await search((proof) => proof, 5)).findings)
  })
})
