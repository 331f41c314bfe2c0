import { describe, expect, it } from 'vitest'
import { providerOf } from '../../../../lib/webhooks/providers/index.ts'
import type { Sample, SampleMessage } from '../../../../lib/webhooks/sample.ts'
import { ED25519_WHPK } from '../../../../lib/webhooks/schemes/methods.ts'
import { sourceOf } from '../../../../lib/webhooks/sources/catalog.ts'
import { trustStored, verify } from '../../../../lib/webhooks/verify.ts'
import { newMessage } from '../../../../localstack/senders/message.ts'
import { eventIdOf, prove, type Signing } from '../../../../localstack/senders/prove.ts'
import { type SenderCredentials, signerOf } from '../../../../localstack/senders/signers.ts'
import { SENDERS } from '../../../../localstack/senders/table.ts'
import { START } from '../../../support/fakes/clock.ts'
import { FIRST_SECRETS } from '../../../support/first-secrets.ts'
import { LIBRARY_SIGNERS } from '../../../support/library-signers.ts'

const ROWS = Object.entries(SENDERS).map(([name, sender]) => ({ name, sender }))
const LATER = new Date(START.getTime() + 3_600_000)

function made(name: string): SenderCredentials {
  return signerOf(providerOf(name).scheme.methods[0]).make()
}

const { WEBHOOK_SECRETS, SIGNING_KEYS } = JSON.parse(FIRST_SECRETS)

function credentialsOf(name: string): SenderCredentials {
  return { secret: WEBHOOK_SECRETS[name], signingKey: SIGNING_KEYS[name] }
}

function message(sender: Sample, event: string = sender.events[0], id: string = crypto.randomUUID()): SampleMessage {
  return newMessage(sender, event, { id, at: START })
}

function signing(name: string, sender: Sample, others: Partial<Signing> = {}): Signing {
  const url = `https://hooks.example.com/webhooks/${name}`
  return { name, sender, credentials: credentialsOf(name), url, signedAt: START, ...others }
}

function judged(one: SampleMessage, { name, ...rest }: Signing, secret = rest.credentials.secret) {
  const call = prove(one, { name, ...rest })
  return verify(call, { scheme: providerOf(name).scheme, secrets: [{ value: secret }], now: rest.signedAt })
}

/** Senders whose signed time tells two events with equal bytes apart. */
const TIMED = ['plaid', 'zendesk', 'zoom']

describe('a provider with a sender', () => {
  it.each(ROWS)('$name: its events are accepted, including freshly signed ones', ({ name, sender }) => {
    for (const event of sender.events) {
      const one = message(sender, event)
      expect(judged(one, signing(name, sender))).toMatchObject({ ok: true })
      expect(judged(one, signing(name, sender, { signedAt: LATER }))).toMatchObject({ ok: true })
    }
  })

  it.each(ROWS)('$name: an event with a forged signature, or with another secret, is refused', ({ name, sender }) => {
    const refused = { ok: false, reason: 'wrong-signature' }
    expect(judged(message(sender), signing(name, sender, { isForged: true }))).toMatchObject(refused)
    expect(judged(message(sender), signing(name, sender), made(name).secret)).toMatchObject(refused)
  })

  it.each(ROWS)('$name: two events are two, and one that is sent again is one', ({ name, sender }) => {
    const idOf = (one: SampleMessage, signedAt = START) =>
      eventIdOf(name, prove(one, signing(name, sender, { signedAt })))
    const one = message(sender)
    // A sender that says the same again whenever something has changed names no event.
    if (['dropbox', 'microsoft-graph'].includes(name)) return expect(idOf(one)).toBe('no id')
    expect(idOf(message(sender))).not.toBe(idOf(one))
    const call = prove(one, signing(name, sender))
    const kept = [...(sourceOf(name).keptHeaders ?? []), 'content-type']
    const headers = Object.fromEntries(Object.entries(call.headers).filter(([header]) => kept.includes(header)))
    // With the time signed, what is sent again in the same words at another time is other news.
    if (TIMED.includes(name)) return expect(idOf({ headers, body: call.body }, LATER)).not.toBe(idOf(one))
    expect(idOf({ headers, body: call.body }, LATER)).toBe(idOf(one))
  })

  /** What the service cannot tell of an event. */
  const NAMELESS = ['dropbox']
  const OTHERS: Readonly<Record<string, string>> = { payment: 'PAYMENT', 'order-status': 'ORDER_STATUS' }

  it.each(ROWS.filter(({ name }) => !NAMELESS.includes(name)))('$name: the event has its type', ({ name, sender }) => {
    for (const event of sender.events) {
      const { headers, body } = prove(message(sender, event), signing(name, sender))
      const { identity } = sourceOf(name).read({ body: trustStored(body), headers })
      expect(identity.eventType).toBe(OTHERS[name] ?? event)
    }
  })
})

it('no event is sent with a secret of another kind, such as a public key', () => {
  const credentials = signerOf(ED25519_WHPK).make()
  const sender = SENDERS['standard-webhooks']
  expect(() => prove(message(sender), signing('standard-webhooks', sender, { credentials }))).toThrow(
    'The samples of standard-webhooks are signed with another kind of secret than is configured here.',
  )
})

it('a public key of Standard Webhooks has a private one that signs for it', () => {
  const asymmetric: Sample = {
    ...SENDERS['standard-webhooks'],
    prove: ({ base64, seconds }) => ({
      headers: { 'webhook-timestamp': seconds, 'webhook-signature': `v1a,${base64}` },
    }),
  }
  const credentials = signerOf(ED25519_WHPK).make()
  expect(judged(message(asymmetric), signing('standard-webhooks', asymmetric, { credentials }))).toMatchObject({
    ok: true,
  })
})

it.each(LIBRARY_SIGNERS)('the signature equals that of the provider’s library $library', async ({ scheme, sign }) => {
  const sender = SENDERS[scheme]
  const one = message(sender, sender.events[0], '1')
  const signed = signing(scheme, sender)
  const { headers } = prove(one, signed)
  expect(headers).toMatchObject(await sign(signed.credentials.secret, one.body.toString(), START.getTime() / 1000))
})
