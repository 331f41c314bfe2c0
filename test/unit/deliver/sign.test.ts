import { Buffer } from 'node:buffer'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { messageId, publicKeysOf, signatureHeaders, signerOf } from '../../../lib/deliver/signing.ts'
import type { SharedSecret } from '../../../lib/webhooks/verify.ts'
import { deliveredEvent } from '../../support/delivered-event.ts'
import { START } from '../../support/fakes/clock.ts'

const keyOf = (letter: string) => Buffer.alloc(32, letter).toString('base64')
const [FIRST, SECOND, THIRD] = ['a', 'b', 'c'].map(keyOf) as [string, string, string]
const minutes = (count: number) => new Date(START.getTime() + count * 60_000)
const EVENT = deliveredEvent()

describe('a delivery is signed according to Standard Webhooks', () => {
  it('over its id, the time of the try and its bytes', () => {
    // printf %s … | openssl dgst -sha256 -mac HMAC -macopt hexkey:61…61 -binary | base64
    expect(signatureHeaders(EVENT, [{ value: `whsec_${FIRST}` }], START)).toEqual({
      'webhook-id': 'gh_3804000000000000123',
      'webhook-timestamp': '1767323045',
      'webhook-signature': 'v1,umAuBa4ALqTxwA1twPLrYjygJYjqHMQuSKWBIwwkYuU=',
    })
  })

  it('also by Ed25519, as Svix does', () => {
    // A test of Svix's server (svix-webhooks, server/svix-server, webhook signing).
    const key = 'whsk_6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbfVKIDij2HKpMKkioLlX0dRqSKJp4AJ6p9lMicMFs6Kvg=='
    const parts = ['msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.', '{"test": 2432232314}'].map((part) => Buffer.from(part))
    expect(signerOf(key)?.sign(parts)).toBe(
      'v1a,hnO3f9T8Ytu9HwrXslvumlUpqtNVqkhqw/enGzPCXe5BdqzCInXqYXFymVJaA7AZdpXwVLPo3mNl8EM+m7TBAg==',
    )
    expect(signerOf(key)?.publicKey).toBe('whpk_1SiA4o9hyqTCpIqC5V9HUakiiaeACeqfZTInDBbOir4=')
    // The seed alone is the same key; with the public key of another it is none.
    expect(signerOf(`whsk_${SEED}`)?.publicKey).toBe(signerOf(key)?.publicKey)
    expect(signerOf(`whsk_${Buffer.concat([Buffer.from(SEED, 'base64'), Buffer.alloc(32)]).toString('base64')}`)).toBe(
      undefined,
    )
  })

  it('with an id that has no dot', () => {
    expect(messageId({ id: -1n })).toMatch(/^[^.]+$/)
  })

  it.each<[string, readonly SharedSecret[], number]>([
    [
      'one in its last and another in its first instant',
      [
        { value: FIRST, notAfter: START },
        { value: SECOND, notBefore: START },
      ],
      2,
    ],
    ['none that cannot be read', [{ value: 'no base64!' }, { value: SECOND }], 1],
  ])('with every secret that is valid now: %s', (_, secrets, count) => {
    expect(signatureHeaders(EVENT, secrets, START)?.['webhook-signature']?.split(' ')).toHaveLength(count)
  })

  it.each<[string, readonly SharedSecret[]]>([
    ['there is none', []],
    ['the only one has expired', [{ value: FIRST, notAfter: minutes(-1) }]],
    ['the only one cannot be read', [{ value: 'no base64!' }]],
  ])('or is not signed, if %s', (_, secrets) => {
    expect(signatureHeaders(EVENT, secrets, START)).toBeUndefined()
  })
})

/** The private half of the key in Svix's test. */
const SEED = '6Xb/dCcHpPea21PS1N9VY/NZW723CEc77N4rJCubMbc='

it('the public keys of an Ed25519 rotation are shown before the new one signs, until the old one ends', () => {
  const next = Buffer.alloc(32, 'n').toString('base64')
  const secrets: readonly SharedSecret[] = [
    { value: `whsec_${FIRST}` },
    { value: `whsk_${SEED}`, notAfter: minutes(10) },
    { value: `whsk_${next}`, notBefore: minutes(0) },
  ]
  const [old, young] = [SEED, next].map((seed) => `${signerOf(`whsk_${seed}`)?.publicKey}`)
  const signaturesAt = (at: Date) => `${signatureHeaders(EVENT, secrets, at)?.['webhook-signature']}`.match(/v1a?/g)
  expect([publicKeysOf(secrets, minutes(-1)), signaturesAt(minutes(-1))]).toEqual([
    [old, young],
    ['v1', 'v1a'],
  ])
  expect(signaturesAt(minutes(5))).toEqual(['v1', 'v1a', 'v1a'])
  expect([publicKeysOf(secrets, minutes(11)), signaturesAt(minutes(11))]).toEqual([[young], ['v1', 'v1a']])
})

/** Two rotations: for ten minutes each, the old secret and the new one are both good. */
const ROTATED: readonly SharedSecret[] = [
  { value: `whsec_${FIRST}`, notAfter: minutes(10) },
  { value: `whsec_${SECOND}`, notBefore: minutes(0), notAfter: minutes(70) },
  { value: THIRD, notBefore: minutes(60) },
]

describe('D08 the libraries of receivers accept a delivery', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  it.each<[string, Date, readonly string[]]>([
    ['before the first rotation', minutes(-1), [FIRST]],
    ['during it', minutes(5), [FIRST, SECOND]],
    ['between the two rotations', minutes(30), [SECOND]],
    ['during the second', minutes(65), [SECOND, THIRD]],
    ['after it', minutes(90), [THIRD]],
  ])('under the secrets that are valid %s, and under no others', (_, at, good) => {
    vi.setSystemTime(at)
    const headers = { ...signatureHeaders(EVENT, ROTATED, at) }
    for (const secret of [FIRST, SECOND, THIRD]) {
      const verdicts = [StandardWebhook, SvixWebhook].map((Library) => {
        try {
          new Library(secret).verify(EVENT.payload, headers)
          return 'good'
        } catch (error) {
          return error instanceof Error && error.message
        }
      })
      const expected = good.includes(secret) ? 'good' : 'No matching signature found'
      expect(verdicts).toEqual([expected, expected])
    }
  })

  it('but not with another body, id or time', () => {
    vi.setSystemTime(START)
    const headers = { ...signatureHeaders(EVENT, [{ value: FIRST }], START) }
    const library = new StandardWebhook(FIRST)
    const changed = [{ 'webhook-id': 'gh_2' }, { 'webhook-timestamp': '1767323046' }]
    expect(() => library.verify(Buffer.from('{"id":"evt_2"}'), headers)).toThrow('No matching signature found')
    for (const change of changed) {
      expect(() => library.verify(EVENT.payload, { ...headers, ...change })).toThrow('No matching signature found')
    }
  })
})
