import type { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { createCanary } from '../../../../lib/webhooks/canary/canary.ts'
import { generic } from '../../../../lib/webhooks/schemes/generic.ts'
import { type SharedSecret, verify } from '../../../../lib/webhooks/verify.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { recordingLog } from '../../../support/fakes/log.ts'
import { recordingMetrics } from '../../../support/fakes/metrics.ts'

const SECRET = { value: 'a secret of the canary' }

interface Sent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

function setUp(answer: () => Promise<number> = async () => 200, secrets: readonly SharedSecret[] = [SECRET]) {
  const [clock, log, metrics] = [fixedClock(), recordingLog(), recordingMetrics()]
  const sent: Sent[] = []
  const configured = { current: new Map([['canary', secrets]]) }
  const address = {
    post(headers: Sent['headers'], body: Buffer) {
      sent.push({ headers, body })
      return answer()
    },
  }
  return {
    clock,
    log,
    metrics,
    sent,
    configured,
    run: createCanary({ address, secrets: configured, clock, metrics, log }),
  }
}

describe('a canary is answered', () => {
  it.each([200, 204, 299])('with %i', async (status) => {
    const { run, metrics, log } = setUp(async () => status)
    expect(await run()).toBe('answered')
    expect(metrics.measured).toEqual([['CanaryUnanswered', 0]])
    expect(log.entries).toEqual([])
  })
})

describe('a canary is unanswered', () => {
  it.each([302, 401, 429, 500, 503])('with %i', async (status) => {
    const { run, metrics, log } = setUp(async () => status)
    expect(await run()).toBe('unanswered')
    expect(metrics.measured).toEqual([['CanaryUnanswered', 1]])
    expect(log.of('canary unanswered')).toEqual([{ status }])
  })

  it('without an answer, and the log contains the reason without the secret', async () => {
    const cause = Object.assign(new Error('getaddrinfo ENOTFOUND api.example'), { code: 'ENOTFOUND' })
    const { run, metrics, log } = setUp(() => Promise.reject(cause))
    expect(await run()).toBe('unanswered')
    expect(metrics.measured).toEqual([['CanaryUnanswered', 1]])
    expect(log.of('canary unanswered')).toEqual([{ cause }])
    expect(JSON.stringify(log.entries)).not.toContain(SECRET.value)
  })
})

describe('the call of the canary', () => {
  it('is signed with the present time in the generic scheme', async () => {
    const { run, sent, clock } = setUp()
    clock.advance(86_400_000)
    await run()
    const [{ headers, body } = { headers: {}, body: undefined as never }] = sent
    const call = { method: 'POST', url: 'https://api.example/webhooks/canary', headers, body }
    const good = { scheme: generic, secrets: [SECRET], now: clock.now(), toleranceSeconds: undefined }
    expect(verify(call, good)).toMatchObject({ ok: true, proven: { signedAt: clock.now() } })
    expect(verify(call, { ...good, secrets: [{ value: 'another' }] })).toMatchObject({ reason: 'wrong-signature' })
  })

  it('has the same body each time', async () => {
    const { run, sent, clock } = setUp()
    await run()
    clock.advance(300_000)
    await run()
    expect(sent[1]?.body).toEqual(sent[0]?.body)
    expect(JSON.parse(String(sent[0]?.body))).toMatchObject({ eventId: 'canary' })
  })

  it('is signed with a valid secret during a rotation', async () => {
    const ended = { value: 'the old secret', notAfter: new Date(START.getTime() - 1) }
    const { run, sent } = setUp(undefined, [ended, SECRET])
    await run()
    const [{ headers, body } = { headers: {}, body: undefined as never }] = sent
    const call = { method: 'POST', url: 'https://api.example/webhooks/canary', headers, body }
    const given = { scheme: generic, secrets: [SECRET], now: START, toleranceSeconds: undefined }
    expect(verify(call, given)).toMatchObject({ ok: true })
  })
})

describe('without a secret', () => {
  it('nothing is sent, no alarm is raised, and the log states this once', async () => {
    const { run, sent, metrics, log } = setUp(undefined, [])
    expect([await run(), await run()]).toEqual(['idle', 'idle'])
    expect(sent).toEqual([])
    expect(metrics.measured).toEqual([
      ['CanaryUnanswered', 0],
      ['CanaryUnanswered', 0],
    ])
    expect(log.entries).toMatchObject([{ level: 'info', message: expect.stringContaining('canary idle') }])
  })

  it('it starts as soon as there is one', async () => {
    const { run, sent, configured } = setUp(undefined, [])
    await run()
    configured.current = new Map([['canary', [SECRET]]])
    expect(await run()).toBe('answered')
    expect(sent).toHaveLength(1)
  })
})
