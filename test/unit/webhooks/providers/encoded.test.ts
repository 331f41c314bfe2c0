import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { PROVIDERS } from '../../../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../../../lib/webhooks/providers/samples.ts'
import type { SignatureScheme } from '../../../../lib/webhooks/schemes/scheme.ts'
import { sourceOf } from '../../../../lib/webhooks/sources/catalog.ts'
import { trustStored } from '../../../../lib/webhooks/verify.ts'
import { START } from '../../../support/fakes/clock.ts'
import { receiverFor, signedBy } from '../../../support/webhook-receiver.ts'

const names = Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[]
const isReading = (name: keyof typeof PROVIDERS) => (PROVIDERS[name].scheme as SignatureScheme).readsBody === true

/** Providers whose proof, or the time of it, is found by reading the body. */
const READING = ['adyen', 'linear', 'mailgun', 'microsoft-graph', 'sns', 'twilio']

it('a scheme says so if it reads the body', () => {
  expect(names.filter(isReading)).toEqual(READING)
})

const draftOf = (name: keyof typeof PROVIDERS) => {
  const sender = SAMPLES[name]
  return sender.draft(sender.events[0], { id: '8a6e0804-2bd0-4672-b79d-d97027f9071a', at: START })
}

describe('a body under gzip', () => {
  const stored = names.filter((name) => !isReading(name))

  it.each(stored)('is stored as it came, dead with the reason: %s', async (name) => {
    const { headers, body } = draftOf(name)
    const bytes = gzipSync(JSON.stringify(body))
    const call = signedBy(
      name,
      SAMPLES[name],
      { headers: { ...headers, 'content-encoding': 'gzip' }, body: bytes },
      START,
    )
    const receiver = receiverFor(name)
    expect(await receiver.receive(call)).toBe('stored')
    const [event] = receiver.events()
    expect(event).toMatchObject({ status: 'FAILED', dead: true, errorMessage: 'body is encoded: gzip' })
    expect(event?.headers).toMatchObject({ 'content-encoding': 'gzip' })
    expect(event?.payload.equals(call.body)).toBe(true)
    const { unreadable } = sourceOf(name).read({ body: trustStored(call.body), headers: event?.headers ?? {} })
    expect(unreadable, 'a retry reads the same').toBe('body is encoded: gzip')
  })

  it('counts its id and type in headers', async () => {
    const receiver = receiverFor('github')
    const headers = { 'x-github-event': 'push', 'x-github-delivery': 'd-1', 'content-encoding': 'gzip' }
    await receiver.receive(signedBy('github', SAMPLES.github, { headers, body: gzipSync('{}') }, START))
    expect(receiver.events()).toMatchObject([{ eventId: 'd-1', eventType: 'push', status: 'FAILED', dead: true }])
  })

  it.each(READING as (keyof typeof PROVIDERS)[])('is refused where its scheme has to read it: %s', async (name) => {
    const { headers, body } = draftOf(name)
    const call = signedBy(name, SAMPLES[name], { headers: headers ?? {}, body }, START)
    const receiver = receiverFor(name)
    const encoded = { ...call, headers: { ...call.headers, 'content-encoding': 'gzip' } }
    expect(await receiver.answer(encoded)).toBe('CODING_UNSUPPORTED')
    expect(await receiver.answer({ ...call, headers: { ...call.headers, 'content-encoding': 'UTF-8' } })).toBe(200)
    expect(receiver.events()).toHaveLength(1)
  })
})
