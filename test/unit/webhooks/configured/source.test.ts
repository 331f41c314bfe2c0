import { createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import type { SourceConfig } from '../../../../lib/config.ts'
import { checkedConfig } from '../../../../lib/deliver/configured/read.ts'
import { catalogFrom } from '../../../../lib/webhooks/sources/catalog.ts'
import { START } from '../../../support/fakes/clock.ts'
import { receiverFor } from '../../../support/webhook-receiver.ts'

const SECRET = 'a secret that both sides know'

/** A receiver of a source named `acme`, and what becomes of bodies that its sender signs. */
function acme(source: SourceConfig) {
  const receiver = receiverFor('acme', {
    sources: catalogFrom(checkedConfig({ sources: { acme: source } })),
    secrets: [SECRET],
  })
  const send = (body: string, { signed = body, headers = {} }: { signed?: string; headers?: object } = {}) => {
    const signature = createHmac('sha256', SECRET).update(signed).digest('hex')
    return receiver.receive({
      method: 'POST',
      url: 'https://hooks.example.com/webhooks/acme',
      headers: { 'x-signature': signature, ...headers },
      body: Buffer.from(body),
    })
  }
  return { ...receiver, send }
}

const proof = { kind: 'hmac', header: 'X-Signature' } as const

describe('a source by configuration', () => {
  it.each([
    ['an object', '{"data":{"id":{"a":1}}}'],
    ['a list', '{"data":{"id":[1]}}'],
    ['a control character', '{"data":{"id":"a\\u0000"}}'],
  ])('stores an event with the id %s, and marks the id as unusable', async (_, body) => {
    const { send, events } = acme({ proof, event: { id: { path: 'data.id' }, type: { path: 'data' } } })
    expect(await send(body)).toBe('stored')
    expect(await send(body)).toBe('duplicate')
    expect(events()).toMatchObject([
      {
        eventId: expect.stringMatching(/^h:/),
        eventType: 'UNKNOWN',
        status: 'PROCESSED',
        history: [{ reason: 'the event id that came with it is unusable' }],
      },
    ])
  })

  it('uses the digits of a signed numeric id as its text', async () => {
    const { send, events } = acme({ proof, event: { id: { path: 'id' } } })
    await send('{"id":12345678901234567890}')
    expect(events()).toMatchObject([{ eventId: '12345678901234567890' }])
  })

  it('ignores the marks of a retry in the content', async () => {
    const { send } = acme({ proof, ignore: ['meta.attempt', 'items.*.seen'] })
    expect(await send('{"meta":{"attempt":1},"items":[{"seen":false,"a":1}]}')).toBe('stored')
    expect(await send('{"meta":{"attempt":2},"items":[{"seen":true,"a":1}]}')).toBe('duplicate')
    expect(await send('{"meta":{"attempt":2},"items":[{"seen":true,"a":2}]}')).toBe('stored')
  })

  it('reads a signed time in the body after the signature is valid', async () => {
    const { send, clock } = acme({ proof: { ...proof, time: { path: 'sent.at', unit: 'rfc3339' } } })
    const body = `{"sent":{"at":"${START.toISOString()}"}}`
    expect(await send(body)).toBe('stored')
    clock.advance(301_000)
    expect(await send(body)).toBe('refused')
    expect(await send('{"sent":{"at":{}}}')).toBe('refused')
    expect(await send('no JSON')).toBe('refused')
  })

  it('accepts unreadable bytes', async () => {
    const { send, events } = acme({ proof, format: 'bytes' })
    expect(await send('\u0000 <xml/> {')).toBe('stored')
    expect(await send('')).toBe('stored')
    expect(events()).toMatchObject([{ status: 'PROCESSED' }, { status: 'PROCESSED' }])
  })

  it('refuses a time of another length if only its length separates it from the body', async () => {
    const { send } = acme({ proof: { ...proof, signed: '{time}{body}', time: { header: 'X-Time' } } })
    const seconds = String(START.getTime() / 1000)
    expect(await send('1{}', { signed: `${seconds}1{}`, headers: { 'x-time': seconds } })).toBe('stored')
    expect(await send('{}', { signed: `${seconds}1{}`, headers: { 'x-time': `${seconds}1` } })).toBe('refused')
  })
})

describe('W12 a source that signs no body', () => {
  const signed = 'id:{query:data.id};ts:{time};'
  const source: SourceConfig = {
    proof: { ...proof, signed, time: { header: 'X-Time' } },
    event: { id: { path: 'id' } },
  }
  const seconds = String(START.getTime() / 1000)

  function receiver() {
    const { receive, events } = acme(source)
    const mac = createHmac('sha256', SECRET).update(`id:7;ts:${seconds};`).digest('hex')
    const send = (body: string, query = 'data.id=7') =>
      receive({
        method: 'POST',
        url: `https://hooks.example.com/webhooks/acme?${query}`,
        headers: { 'x-signature': mac, 'x-time': seconds },
        body: Buffer.from(body),
      })
    return { send, events }
  }

  it('has the level fields, never full or body, and an id of the body is unsigned', async () => {
    const { send, events } = receiver()
    expect(await send('{"id":"a"}')).toBe('stored')
    expect(await send('{"id":"a"}')).toBe('duplicate')
    expect(await send('{"id":"b"}')).toBe('held')
    expect(events()).toMatchObject([
      { eventId: 'a', proof: { level: 'fields' } },
      { eventId: 'b', proof: { level: 'fields' }, possibleDuplicateOf: 'a' },
    ])
  })

  it.each(['data.id=8', '', 'data.id=7&data.id=7', 'data.id=7;ts:1', 'DATA.ID=7'])(
    'is refused under another query than the signed one: %s',
    async (query) => {
      expect(await receiver().send('{"id":"a"}', query)).toBe('refused')
    },
  )

  it('is refused with a body of more than 256 KiB, which anybody could have sent', async () => {
    expect(await receiver().send(`{"a":"${'a'.repeat(262_144 - 8)}"}`)).toBe('stored')
    expect(await receiver().send(`{"a":"${'a'.repeat(262_144 - 7)}"}`)).toBe('refused')
  })

  it.each<[string, object]>([
    ['rule: this id is not signed', { rule: 'signed-id' }],
    ['rule: window needs a signed body', { rule: 'window' }],
  ])('cannot have the %s', (problem, changes) => {
    expect(() => checkedConfig({ sources: { acme: { ...source, ...changes } } })).toThrow(problem)
  })
})

describe('another account of a provider', () => {
  it('has its own secret, tolerance and events, and the answers of its provider', async () => {
    const sources = catalogFrom(checkedConfig({ sources: { 'stripe-eu': { preset: 'stripe', toleranceSeconds: 60 } } }))
    const { answer, clock, events } = receiverFor('stripe-eu', { sources, secrets: [SECRET] })
    const seconds = START.getTime() / 1000
    const body = '{"id":"evt_1","type":"charge.refunded"}'
    const mac = createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex')
    const call = (path: string) => ({
      method: 'POST',
      url: `https://hooks.example.com/webhooks/${path}`,
      headers: { 'stripe-signature': `t=${seconds},v1=${mac}` },
      body: Buffer.from(body),
    })
    expect(await answer(call('stripe-eu'))).toBe(200)
    expect(events()).toMatchObject([{ source: 'stripe-eu', eventId: 'evt_1', eventType: 'charge.refunded' }])
    clock.advance(61_000)
    expect(await answer(call('stripe-eu'))).toBe('SIGNATURE_REJECTED')
  })
})
