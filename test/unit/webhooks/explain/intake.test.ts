import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ServiceError } from '../../../../lib/errors.ts'
import { admit, demandSecrets, type Intake } from '../../../../lib/webhooks/admit.ts'
import { logAudit } from '../../../../lib/webhooks/audit.ts'
import { type Explanation, explain } from '../../../../lib/webhooks/explain/explain.ts'
import type { SignedCall } from '../../../../lib/webhooks/schemes/scheme.ts'
import { KNOWN } from '../../../../lib/webhooks/sources/catalog.ts'
import { SEEDS, type Seed } from '../../../inputs/signatures/seeds.ts'
import { fixedClock } from '../../../support/fakes/clock.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { inFull } from '../../../support/full-runs.ts'

const DAY = 86_400

/** The intake's own judgment. */
function isAdmitted({ kind: name, call, now, secrets, toleranceSeconds }: Seed): boolean {
  const intake: Intake = {
    baseUrl: new URL('https://api.example'),
    secrets: { current: new Map([[name, secrets]]) },
    toleranceSeconds,
    maxBodyBytes: 1_000_000,
    proofOf: () => 'required',
    clock: fixedClock(now),
    audit: logAudit(recordingLog()),
  }
  try {
    const source = KNOWN.sourceOf(name)
    admit(source, call, demandSecrets(source, call.headers, intake), intake)
    return true
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}

function explainedAt({ kind: name, call, now, secrets, toleranceSeconds }: Seed): Explanation {
  const { scheme, lateSeconds } = KNOWN.sourceOf(name)
  return explain(call, { name, scheme, lateSeconds, secrets: new Map([[name, secrets]]), toleranceSeconds, now })
}

const CHANGES: Readonly<Record<string, (call: SignedCall) => SignedCall>> = {
  none: (call) => call,
  'another body': (call) => ({ ...call, body: Buffer.concat([call.body, Buffer.from(' ')]) }),
  'no body': (call) => ({ ...call, body: Buffer.alloc(0) }),
  'no headers': (call) => ({ ...call, headers: {} }),
  'another address': (call) => ({ ...call, url: `${call.url}/x` }),
}

describe('explain answers accepted', () => {
  const seeds = SEEDS.filter(({ kind, scheme }) => KNOWN.sourceOf(kind).scheme === scheme)

  it('for exactly the calls that the intake accepts, at any delay and after any change', () => {
    const many = inFull(2000, 500)
    const verdicts = { accepted: 0, late: 0, refused: 0 }
    fc.assert(
      fc.property(
        fc.constantFrom(...seeds),
        fc.oneof(
          fc.integer({ min: -400, max: 400 }),
          fc.integer({ min: 400, max: 4000 }),
          fc.integer({ min: -DAY, max: 40 * DAY }),
        ),
        fc.constantFrom(...Object.keys(CHANGES)),
        (seed, age, change) => {
          const call = CHANGES[change]?.(seed.call) ?? seed.call
          const sent = { ...seed, call, now: new Date(seed.now.getTime() + age * 1000) }
          const isAccepted = isAdmitted(sent)
          verdicts[isAccepted ? (age > seed.scheme.toleranceSeconds ? 'late' : 'accepted') : 'refused'] += 1
          expect(explainedAt(sent).reason === 'accepted').toBe(isAccepted)
        },
      ),
      { numRuns: many },
    )
    for (const count of Object.values(verdicts)) expect(count).toBeGreaterThan(many / 200)
  })

  it('for a late retry of a provider that does not renew its time, with the allowed delay', () => {
    const seed = SEEDS.find(({ kind }) => kind === 'zoom')
    const explained = (age: number) => seed && explainedAt({ ...seed, now: new Date(seed.now.getTime() + age * 1000) })
    expect(explained(301)?.reason).toBe('accepted')
    expect(explained(7200)?.reason).toBe('accepted')
    expect(explained(7201)?.sentence).toBe('It was signed 7201 s ago; 300 s are allowed, to a retry 7200 s.')
  })
})
