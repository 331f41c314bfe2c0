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
