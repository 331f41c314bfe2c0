import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { secret } from '../../../lib/config.ts'
import { NotSent } from '../../../lib/deliver/carrier.ts'
import { type DeliverySecrets, httpHeaders } from '../../../lib/deliver/http-headers.ts'
import { A_TRACEPARENT, deliveredEvent } from '../../support/delivered-event.ts'
import { START } from '../../support/fakes/clock.ts'

const SECRETS: DeliverySecrets = new Map([
  ['crm', [{ value: 'whsec_YWJj' }]],
  ['crm-key', [{ value: 'old', notAfter: new Date(START.getTime() - 1) }, { value: 'new' }, { value: 'newer' }]],
  ['over', [{ value: 'old', notAfter: new Date(START.getTime() - 1) }]],
])
const parcel = (event: Parameters<typeof deliveredEvent>[0] = {}, changes: object = {}) => ({
  event: deliveredEvent(event),
  attempt: 3,
  traceparent: A_TRACEPARENT,
  at: START,
  ...changes,
})
const made = (of: ReturnType<typeof parcel>, added: Record<string, string | ReturnType<typeof secret>> = {}) =>
  httpHeaders(
    of,
    { name: 'crm', target: { url: 'https://crm.example:8443/a', headers: new Map(Object.entries(added)) } },
    SECRETS,
  )
const headers = (...given: Parameters<typeof made>) => made(...given).headers

describe('the headers of a delivery', () => {
  it('contain the fields of the event and the number of the try', () => {
    expect(headers(parcel())).toEqual({
      host: 'crm.example:8443',
      'content-type': 'application/json; charset=utf-8',
      'content-length': '14',
      'user-agent': 'Gatehouse',
      'gatehouse-source': 'stripe',
      'gatehouse-type': 'payment_intent.succeeded',
      'gatehouse-event': 'evt_1',
      'gatehouse-attempt': '3',
      'gatehouse-proof': 'full',
      'gatehouse-type-signed': 'true',
      'gatehouse-id-signed': 'true',
      traceparent: A_TRACEPARENT,
      'webhook-id': 'gh_3804000000000000123',
      'webhook-timestamp': '1767323045',
      'webhook-signature': expect.stringMatching(/^v1,[\w+/]{43}=$/),
    })
  })

  it('are signed with the time of the try, not of the event', () => {
    const at = new Date(START.getTime() + 3_600_000)
    expect(headers(parcel({}, { at }))).toMatchObject({ 'webhook-timestamp': '1767326645' })
  })

  it('S2 say how well the event is proven, and which one it looks like', () => {
    const proof = { level: 'token', typeSigned: false, idSigned: false } as const
    const event = { proof, possibleDuplicateOf: 'é/0', typeConflict: true } as const
    expect(headers(parcel(event))).toMatchObject({
      'gatehouse-proof': 'token',
      'gatehouse-type-signed': 'false',
      'gatehouse-id-signed': 'false',
      'gatehouse-type-conflict': 'true',
      'gatehouse-possible-duplicate-of': '%C3%A9/0',
    })
  })

  it('say until when the sender may repeat the event, and nothing if it never does', () => {
    const repeatsUntil = new Date(START.getTime() + 259_200_000)
    expect(headers(parcel({ repeatsUntil }))['gatehouse-repeats-until']).toBe('2026-01-05T03:04:05.000Z')
    expect(headers(parcel())).not.toHaveProperty('gatehouse-repeats-until')
  })

  it('name the replay that ordered it', () => {
    expect(headers(parcel({}, { replayId: 'r-1' }))).toMatchObject({ 'gatehouse-replay': 'r-1' })
  })

  it('contain the coding under which the body came', () => {
    expect(headers(parcel({ headers: { 'content-encoding': 'gzip' } }))).toMatchObject({ 'content-encoding': 'gzip' })
  })

  it('include the number of bytes, and no content type for an unknown one', () => {
    expect(headers(parcel({ payload: Buffer.from('é'), headers: {} }))).toMatchObject({
      'content-type': 'application/octet-stream',
      'content-length': '2',
    })
  })

  it.each([
    ['é/1', '%C3%A9/1'],
    ['  a b ', '%20%20a b%20'],
    ['%41', '%2541'],
    ['a\u007f\u{1f600}', 'a%7F%F0%9F%98%80'],
  ])('are printable ASCII, percent-encoded so that decoding restores every id: %j', (eventId, expected) => {
    expect(headers(parcel({ eventId }))['gatehouse-event']).toBe(expected)
    expect(decodeURIComponent(expected)).toBe(eventId)
  })

  it('include configured headers unchanged', () => {
    const added = headers(parcel(), { 'X-Api-Key': secret('crm-key'), 'x-note': '100% a\u00e9' })
    expect(added).toMatchObject({ 'x-api-key': 'new', 'x-note': '100% a%C3%A9' })
  })

  it.each(['Host', 'webhook-signature', 'Gatehouse-Event'])('cannot be replaced by the configuration: %s', (name) => {
    expect(headers(parcel(), { [name]: 'forged' })).toEqual(headers(parcel()))
  })

  it.each([
    ['x-api-key', 'unknown'],
    ['x-api-key', 'over'],
  ])('cannot be built without a secret for %s: %s', (header, name) => {
    const answer = `no secret for the header ${header} is good now`
    expect(() => made(parcel(), { [header]: secret(name) })).toThrow(new NotSent(answer))
  })

  it('cannot be built without a signing secret', () => {
    const target = { url: 'https://a.example/', headers: new Map() }
    for (const name of ['other', 'over']) {
      const answer = 'no signing secret is good now'
      expect(() => httpHeaders(parcel(), { name, target }, SECRETS)).toThrow(new NotSent(answer))
    }
  })
})
