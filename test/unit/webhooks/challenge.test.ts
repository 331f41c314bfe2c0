import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import type { Intake, ProofPolicy } from '../../../lib/webhooks/admit.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import { answerChallenge } from '../../../lib/webhooks/handshake.ts'
import { providerOf } from '../../../lib/webhooks/providers/index.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { recordingLog } from '../../support/fakes/log.ts'

const TOKEN = 'the owner chose this'

function ask(name: string, query: Readonly<Record<string, string>>, changes: Partial<Intake> = {}) {
  const log = recordingLog()
  const intake: Intake = {
    baseUrl: new URL('https://api.example'),
    secrets: {
      current: new Map([
        ['dropbox', [{ value: 'secret' }]],
        ['meta', [{ value: 'secret' }]],
        ['meta.verify', [{ value: 'before', notAfter: new Date(START.getTime() - 1) }, { value: TOKEN }]],
      ]),
    },
    toleranceSeconds: undefined,
    maxBodyBytes: 1000,
    proofOf: (): ProofPolicy => 'required',
    clock: fixedClock(),
    audit: logAudit(log),
    ...changes,
  }
  const url = `https://api.example/webhooks/${name}?${new URLSearchParams(query)}`
  const call = { method: 'GET', url, headers: {}, body: Buffer.alloc(0) }
  const answer = () => answerChallenge(name, providerOf(name), call, intake)
  return { answer, log }
}

const META = { 'hub.mode': 'subscribe', 'hub.challenge': '1158201444', 'hub.verify_token': TOKEN }

describe('a provider with a challenge by GET receives it back', () => {
  it.each<[string, Record<string, string>, string]>([
    ['dropbox', { challenge: 'abc' }, 'abc'],
    ['dropbox', { challenge: '<script>é &+%' }, '<script>é &+%'],
    ['dropbox', { challenge: 'a'.repeat(1024) }, 'a'.repeat(1024)],
    ['meta', META, '1158201444'],
  ])('%s %j', (name, query, challenge) => {
    expect(ask(name, query).answer()).toBe(challenge)
  })

  it.each<[string, Record<string, string>]>([
    ['no token', { ...META, 'hub.verify_token': '' }],
    ['another token', { ...META, 'hub.verify_token': `${TOKEN} ` }],
    ['an expired token', { ...META, 'hub.verify_token': 'before' }],
    ["the app's secret", { ...META, 'hub.verify_token': 'secret' }],
    ['no token and a bad challenge', {}],
  ])('W21 meta must send the verify token: %s', (_, query) => {
    const { answer, log } = ask('meta', query)
    expect(answer).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }))
    expect(log.entries).toMatchObject([{ fields: { decision: 'refused', source: 'meta.verify' } }])
  })

  it.each<[string, Record<string, string>, string, string]>([
    ['dropbox', { challenge: '' }, 'challenge', 'must not be empty'],
    ['dropbox', { challenge: 'a'.repeat(1025) }, 'challenge', 'must be at most 1024 bytes'],
    ['dropbox', {}, 'challenge', 'must be a text'],
    ['meta', { ...META, 'hub.mode': 'x' }, 'hub.mode', 'must be subscribe'],
    ['meta', { ...META, 'hub.challenge': '' }, 'hub.challenge', 'must not be empty'],
  ])('and receives the error: %s %j', (name, query, field, message) => {
    const validationErrors = [{ field, message, rejectedValue: null }]
    expect(ask(name, query).answer).toThrow(expect.objectContaining({ details: { validationErrors } }))
  })

  it.each(['dropbox', 'meta', 'slack', 'constructor'])('%s needs a secret', (name) => {
    const { answer } = ask(name, { ...META, challenge: 'c' }, { secrets: { current: new Map() } })
    expect(answer).toThrow(expect.objectContaining({ code: 'SIGNATURE_INVALID' }))
  })
})
