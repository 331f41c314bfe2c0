import { Buffer } from 'node:buffer'
import { createSign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { provider } from '../../../../lib/webhooks/providers/sns.ts'
import { selfSigned } from '../../../support/certificate.ts'
import { START } from '../../../support/fakes/clock.ts'
import { fakeKeyServer } from '../../../support/fakes/key-server.ts'
import { inFull } from '../../../support/full-runs.ts'
import { RSA_KEYS } from '../../../support/rsa-keys.ts'
import { readingOf, signedCall } from '../../../support/signed-call.ts'
import { receiverFor } from '../../../support/webhook-receiver.ts'

const DAY = 86_400_000
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:orders'
const HOST = 'sns.eu-west-1.amazonaws.com'
const FILE = 'SimpleNotificationService-9c6465fa7f48f5cacd23014631ec1136.pem'
const CERTIFICATE_URL = `https://${HOST}/${FILE}`

const { certificate, privateKey } = selfSigned(
  'sns.amazonaws.com',
  new Date(START.getTime() - DAY),
  new Date(START.getTime() + 90 * DAY),
  RSA_KEYS[0],
)
const other = selfSigned(
  'sns.amazonaws.com',
  new Date(START.getTime() - DAY),
  new Date(START.getTime() + DAY),
  RSA_KEYS[1],
)

type Fields = Readonly<Record<string, string>>

const NOTIFICATION: Fields = {
  Type: 'Notification',
  MessageId: 'm-1',
  TopicArn: TOPIC,
  Message: 'Hello',
  Timestamp: START.toISOString(),
}

const confirmationOf = (changes: Fields = {}): Fields => ({
  ...NOTIFICATION,
  Type: 'SubscriptionConfirmation',
  Token: 't-1',
  SubscribeURL: `https://${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=t-1`,
  ...changes,
})

/** As SNS signs: names and values in lines, in the order of the alphabet. */
function canonical(fields: Fields): string {
  const names = Object.keys(fields)
  return names
    .sort()
    .map((name) => `${name}\n${fields[name]}\n`)
    .join('')
}

function signed(fields: Fields, unsigned: Fields = {}, key = privateKey) {
  const Signature = createSign('RSA-SHA256').update(canonical(fields)).sign(key, 'base64')
  const all = { ...fields, SignatureVersion: '2', Signature, SigningCertURL: CERTIFICATE_URL, ...unsigned }
  return signedCall({ 'content-type': 'text/plain; charset=UTF-8' }, JSON.stringify(all), {
    url: 'https://hooks.example.com/webhooks/sns',
  })
}

function setUp(answer = (): string | number | Error => certificate, secrets = [TOPIC]) {
  const server = fakeKeyServer(() => answer())
  return { server, receiver: receiverFor('sns', { secrets, server }) }
}

describe('a call of SNS', () => {
  it('is verified with the certificate that it names, which is fetched once', async () => {
    const { server, receiver } = setUp()
    expect(await receiver.receive(signed(NOTIFICATION))).toBe('stored')
    expect(await receiver.receive(signed({ ...NOTIFICATION, MessageId: 'm-2' }))).toBe('stored')
    expect(server.asked).toEqual([{ url: CERTIFICATE_URL }])
    expect(receiver.events()).toMatchObject([
      { eventId: 'm-1', eventType: 'Notification', proof: { level: 'fields', key: 'sns#1', signedAt: START } },
      { eventId: 'm-2' },
    ])
  })

  it('is verified for each of several topics, and for no other', async () => {
    const { receiver, server } = setUp(undefined, [TOPIC, `${TOPIC}-2`])
    for (const TopicArn of [TOPIC, `${TOPIC}-2`])
      expect(await receiver.answer(signed({ ...NOTIFICATION, TopicArn }))).toBe(200)
    expect(await receiver.answer(signed({ ...NOTIFICATION, TopicArn: `${TOPIC}-3` }))).toBe('SIGNATURE_INVALID')
    expect(receiver.log.of('audit').at(-1)).toMatchObject({ decision: 'refused', reason: 'unknown-key' })
    expect(server.asked).toHaveLength(1)
  })

  it('is refused if the certificate has expired', async () => {
    const { receiver } = setUp(() => other.certificate)
    receiver.clock.advance(2 * DAY)
    const Timestamp = new Date(START.getTime() + 2 * DAY).toISOString()
    expect(await receiver.answer(signed({ ...NOTIFICATION, Timestamp }, {}, other.privateKey))).toBe(
      'SIGNATURE_INVALID',
    )
  })

  it.each<[string, string | number | Error]>([
    ['fails', 500],
    ['sends a malformed one', certificate.slice(0, 200)],
  ])('can be sent again if the server %s, and nothing is stored', async (_, answer) => {
    const { receiver } = setUp(() => answer)
    expect(await receiver.answer(signed(NOTIFICATION))).toBe('UNAVAILABLE')
    expect(receiver.events()).toEqual([])
  })

  it.each([403, 404])('is refused if the server has no such certificate: %i', async (status) => {
    const { receiver } = setUp(() => status)
    expect(await receiver.answer(signed(NOTIFICATION))).toBe('SIGNATURE_INVALID')
    expect(receiver.log.of('audit')).toMatchObject([{ reason: 'unknown-key' }])
  })

  it('without a signature fetches nothing', async () => {
    const { receiver, server } = setUp()
    expect(await receiver.answer(signed(NOTIFICATION, { Signature: '' }))).toBe('SIGNATURE_INVALID')
    expect(server.asked).toEqual([])
  })

  it('of more than 256 KiB is not parsed', async () => {
    const { receiver, server } = setUp()
    const call = signed({ ...NOTIFICATION, Message: 'a'.repeat(262_144) })
    expect(await receiver.answer(call)).toBe('PAYLOAD_TOO_LARGE')
    expect(server.asked).toEqual([])
  })
})

describe('W23 a certificate is fetched from SNS only: not from', () => {
  it.each([
    `https://${HOST}.evil.example/${FILE}`,
    `https://sns.evil.amazonaws.com/${FILE}`,
    `https://sns.s3-us-west-2.amazonaws.com/${FILE}`,
    `https://evil.sns.eu-west-1.amazonaws.com/${FILE}`,
    `https://sns-eu-west-1.amazonaws.com/${FILE}`,
    `https://evil@${HOST}/${FILE}`,
    `https://${HOST}@evil.example/${FILE}`,
    `http://${HOST}/${FILE}`,
    `https://${HOST}:8443/${FILE}`,
    `https://${HOST}./${FILE}`,
    `https://sns\u3002eu-west-1\u3002amazonaws\u3002com/${FILE}`,
    `https://${HOST}\\evil.example/${FILE}`,
    `https://${HOST}/${FILE}?a`,
    `https://${HOST}/${FILE}\n`,
    `https://${HOST}/a/${FILE}`,
    `https://${HOST}/%2e%2e/${FILE}`,
    `https://${HOST}/SimpleNotificationService-${'z'.repeat(32)}.pem`,
    `https://${HOST}/evil.pem`,
    '',
  ])('%j', async (url) => {
    const { receiver, server } = setUp()
    expect(await receiver.answer(signed(NOTIFICATION, { SigningCertURL: url }))).toBe('SIGNATURE_INVALID')
    expect(server.asked).toEqual([])
  })

  it.each([HOST, 'sns.cn-north-1.amazonaws.com.cn', 'sns.ap-southeast-12.amazonaws.com'])(
    'but from %s',
    async (host) => {
      const { receiver, server } = setUp()
      const SigningCertURL = `https://${host}/${FILE}`
      expect(await receiver.answer(signed(NOTIFICATION, { SigningCertURL }))).toBe(200)
      expect(server.asked).toEqual([{ url: SigningCertURL }])
    },
  )

  it('and not with the address at another place of the body', async () => {
    const { receiver, server } = setUp()
    const text = signed(NOTIFICATION, { SigningCertURL: 'x' }).body.toString()
    const nested = text.replace('"SigningCertURL":"x"', `"a":{"SigningCertURL":"${CERTIFICATE_URL}"}`)
    expect(await receiver.answer({ ...signed(NOTIFICATION), body: Buffer.from(nested) })).toBe('SIGNATURE_INVALID')
    expect(server.asked).toEqual([])
  })
})

describe('W17 the signed text of SNS', () => {
  const VERSION = { SignatureVersion: '2', Signature: 'AAAA' }
  const textOf = (fields: Fields) =>
    readingOf(provider.scheme, signedCall({}, JSON.stringify({ ...fields, ...VERSION })), fields['TopicArn'])?.signed

  /** All fields that the lines of a text can be cut into, each value with as many lines as it likes. */
  function cuts(lines: readonly string[], names: readonly string[]): readonly Fields[] {
    const [name = '', ...others] = names
    if (lines[0] !== name) return []
    if (others.length === 0) return [{ [name]: lines.slice(1).join('\n') }]
    return lines.flatMap((line, at) =>
      at > 1 && line === others[0]
        ? cuts(lines.slice(at), others).map((rest) => ({ [name]: lines.slice(1, at).join('\n'), ...rest }))
        : [],
    )
  }

  const WAYS = [
    ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type'],
    ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
    ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  ]

  const line = fc.constantFrom(
    'a',
    '',
    'Message',
    'MessageId',
    'Subject',
    'SubscribeURL',
    'Timestamp',
    START.toISOString(),
    'Token',
    'TopicArn',
    TOPIC,
    'Type',
    'Notification',
    'SubscriptionConfirmation',
  )
  const message = fc.array(line, { minLength: 1, maxLength: 24 }).map((lines) => lines.join('\n'))

  it('is unique to one set of fields, at any division', () => {
    let others = 0
    fc.assert(
      fc.property(message, fc.option(line.filter((text) => text !== '')), (Message, Subject) => {
        const fields = { ...NOTIFICATION, Message, ...(Subject !== null && { Subject }) }
        const text = textOf(fields) ?? ''
        const all = WAYS.flatMap((names) => cuts(text.slice(0, -1).split('\n'), names))
        const accepted = all.filter((cut) => textOf(cut) === text)
        others += all.length - accepted.length
        expect(accepted).toEqual([fields])
      }),
      { numRuns: inFull(3000), examples: [['x\nMessageId\nfake\nSubject\ny', null]] },
    )
    expect(others).toBeGreaterThan(0)
  })
})

describe('a request of SNS to confirm a subscription', () => {
  const CONFIRMED = {
    url: `https://${HOST}/?Action=ConfirmSubscription&TopicArn=${encodeURIComponent(TOPIC)}&Token=t-1`,
  }

  it('is answered with a request to SNS, and is not stored', async () => {
    const { receiver, server } = setUp(() => certificate)
    expect(await receiver.answer(signed(confirmationOf()))).toBe(200)
    expect(server.asked).toEqual([{ url: CERTIFICATE_URL }, CONFIRMED])
    expect(await receiver.answer(signed(confirmationOf()))).toBe(200)
    expect(server.asked).toHaveLength(2)
    expect(receiver.events()).toEqual([])
  })

  it('can be sent again if the request fails', async () => {
    const answers = [certificate, 503, '<ok/>']
    const { receiver, server } = setUp(() => answers.shift() ?? 500)
    expect(await receiver.answer(signed(confirmationOf()))).toBe('UNAVAILABLE')
    expect(await receiver.answer(signed(confirmationOf()))).toBe(200)
    expect(server.asked.slice(1)).toEqual([CONFIRMED, CONFIRMED])
  })

  it.each([
    ['another topic', signed(confirmationOf({ TopicArn: `${TOPIC}-2` }))],
    ['the signature of another message', signed(confirmationOf(), {}, other.privateKey)],
    ['another token than the signed one', signed(confirmationOf(), { Token: 't-2' })],
  ])('is refused with %s, and nothing is confirmed', async (_, call) => {
    const { receiver, server } = setUp()
    expect(await receiver.answer(call)).toBe('SIGNATURE_INVALID')
    expect(server.asked).not.toContainEqual(CONFIRMED)
  })

  it.each([
    `https://${HOST}.evil.example/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=t-1`,
    `https://${HOST}:8443/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=t-1`,
    `http://${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=t-1`,
    `https://${HOST}/a?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=t-1`,
    `https://${HOST}/?Action=DeleteTopic&TopicArn=${TOPIC}&Token=t-1`,
    `https://${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}-2&Token=t-1`,
    `https://${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=t-2`,
    '',
  ])('is stored like an event if it does not lead to SNS: %s', async (SubscribeURL) => {
    const { receiver, server } = setUp()
    expect(await receiver.receive(signed(confirmationOf({ SubscribeURL })))).toBe('stored')
    expect(server.asked).toEqual([{ url: CERTIFICATE_URL }])
  })

  it('is an event when it ends a subscription', async () => {
    const { receiver, server } = setUp()
    expect(await receiver.receive(signed(confirmationOf({ Type: 'UnsubscribeConfirmation' })))).toBe('stored')
    expect(server.asked).toHaveLength(1)
  })
})
