import { describe, expect, it } from 'vitest'
import type { SenderClaim, SignatureScheme } from '../../lib/webhooks/schemes/scheme.ts'
import { SEEDS, type Seed } from '../../test/inputs/signatures/seeds.ts'
import { signatureTarget } from '../../test/inputs/signatures/target.ts'
import { NO_COVERAGE } from './coverage.ts'
import { hunt } from './hunt.ts'

describe('the search finds a verifier that', () => {
  /** The seeds of one scheme, which reads its proof otherwise than it should. */
  const seedsWith = (broken: (claim: SenderClaim, scheme: SignatureScheme) => SenderClaim): readonly Seed[] =>
    SEEDS.filter(({ kind }) => kind === 'github').map((seed) => {
      const read: SignatureScheme['read'] = (call) => {
        const claim = seed.scheme.read({ ...call, body: call.body.subarray(0, seed.call.body.length) })
        return claim && broken(claim, seed.scheme)
      }
      return { ...seed, scheme: { ...seed.scheme, read } }
    })

  const search = (broken: (claim: SenderClaim, scheme: SignatureScheme) => SenderClaim) =>
    hunt(signatureTarget(seedsWith(broken)), { inputs: 500, seed: 1, coverage: NO_COVERAGE })

  it('covers only a part of the body', async () => {
    const { findings } = await search((claim) => claim)
    expect(findings.map(({ problem }) => problem)).toEqual(['Error: github: accepted with another body'])
  })

  it('throws', async () => {
    const { findings } = await search(() => {
      throw new RangeError('broken')
    })
    expect(findings.map(({ problem }) => problem)).toEqual(['RangeError: broken'])
  })
})
