import { createHash, generateKeyPairSync, type KeyObject, type SignKeyObjectInput, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../../lib/contract/gen/endpoints.ts'
import { endpoint } from '../../../lib/http/endpoint.ts'
import { answer, signedByName } from '../../../lib/http/provider-call.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import { createInbox } from '../../../lib/webhooks/inbox.ts'
import { createRateLimiter } from '../../../lib/webhooks/rate/limiter.ts'
import { createRotatingKeys } from '../../../lib/webhooks/rotating-keys.ts'
import { KNOWN } from '../../../lib/webhooks/sources/catalog.ts'
import { selfSigned } from '../../support/certificate.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { MemoryCounter } from '../../support/fakes/counter.ts'
import { httpEvent, lambdaContext } from '../../support/fakes/http.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { fakeKeyServer, memoryDocuments } from '../../support/fakes/key-server.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import { recordingMetrics } from '../../support/fakes/metrics.ts'
import { POLICY } from '../../support/fakes/webhooks.ts'
import { RSA_KEYS } from '../../support/rsa-keys.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const PERIOD = [new Date(START.getTime() - DAY), new Date(START.getTime() + DAY)] as const

/** A call under a key, whose name is that of a genuine one or is made up. */
interface Sent {
  readonly headers: Record<string, string>
  readonly body: string
}

interface Sender {
  readonly secret: string
  /** What its key server answers for the genuine key, and the status for any other. */
  readonly key: string
  readonly missing: number
  isAbout(asked: string): boolean
  call(id: string, at: Date, madeUp?: number): Sent
}

const HEX = (count: number) => count.toString(16).padStart(32, '0')
const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:orders'

/** Only a genuine call is signed. */
function signatureOf(text: string, key: SignKeyObjectInput | KeyObject, madeUp: number): Buffer {
  return madeUp === 0 ? sign('sha256', Buffer.from(text), key) : Buffer.from('none')
}

function sns(): Sender {
  const { certificate, privateKey } = selfSigned('sns.amazonaws.com', ...PERIOD, RSA_KEYS[0])
  const genuine = HEX(0)
  return {
    secret: TOPIC,
    key: certificate,
    missing: 404,
    isAbout: (asked) => asked.includes(genuine),
    call(MessageId, at, madeUp = 0) {
      const fields = { Message: 'm', MessageId, Timestamp: at.toISOString(), TopicArn: TOPIC, Type: 'Notification' }
      const text = Object.entries(fields)
        .map(([name, value]) => `${name}\n${value}\n`)
        .join('')
      const Signature = signatureOf(text, privateKey, madeUp).toString('base64')
      const SigningCertURL = `https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-${HEX(madeUp)}.pem`
      return { headers: {}, body: JSON.stringify({ ...fields, SignatureVersion: '2', Signature, SigningCertURL }) }
    },
  }
}

function paypal(): Sender {
  const { certificate, privateKey } = selfSigned('messageverificationcerts.paypal.com', ...PERIOD, RSA_KEYS[1])
  return {
    secret: 'WH-1',
    key: certificate,
    missing: 404,
    isAbout: (asked) => asked.endsWith('/CERT-0"}'),
    call(id, at, madeUp = 0) {
      const body = JSON.stringify({ id, event_type: 'PAYMENT.SALE.COMPLETED' })
      const text = `${id}|${at.toISOString()}|WH-1|${crc32(body)}`
      const headers = {
        'paypal-transmission-id': id,
        'paypal-transmission-time': at.toISOString(),
        'paypal-transmission-sig': signatureOf(text, privateKey, madeUp).toString('base64'),
        'paypal-auth-algo': 'SHA256withRSA',
        'paypal-cert-url': `https://api.paypal.com/v1/notifications/certs/CERT-${madeUp}`,
      }
      return { headers, body }
    },
  }
}

function plaid(): Sender {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return {
    secret: 'client1:secret1@sandbox',
    key: JSON.stringify({ key: { ...publicKey.export({ format: 'jwk' }), kid: 'k-0' } }),
    missing: 500,
    isAbout: (asked) => asked.includes('k-0'),
    call(item_id, at, madeUp = 0) {
      const body = JSON.stringify({ webhook_type: 'ITEM', webhook_code: 'ERROR', item_id })
      const hash = createHash('sha256').update(body).digest('hex')
      const claims = { iat: Math.floor(at.getTime() / 1000), request_body_sha256: hash }
      const text = `${part({ alg: 'ES256', kid: `k-${madeUp}` })}.${part(claims)}`
      const key = { key: privateKey, dsaEncoding: 'ieee-p1363' } as const
      return {
        headers: { 'plaid-verification': `${text}.${signatureOf(text, key, madeUp).toString('base64url')}` },
        body,
      }
    },
  }
}

const SENDERS = { sns, paypal, plaid }
type Name = keyof typeof SENDERS

/** A deployment, whose instances share the counter of the limit and the row of good documents; each begins cold. */
function deployment(name: Name) {
  const sender = SENDERS[name]()
  const clock = fixedClock()
  const counter = new MemoryCounter()
  const good = memoryDocuments()
  const log = recordingLog()
  const store = new MemoryStore()
  const server = fakeKeyServer((request) => (sender.isAbout(JSON.stringify(request)) ? sender.key : sender.missing))
  const audit = logAudit(log)
  const baseUrl = new URL('https://api.example')
  const { eventStore: events, retryQueue: queue } = store
  const inbox = createInbox({ events, queue, policy: POLICY, clock, ids: countingIds(), audit, log })

  function instance() {
    const intake = {
      baseUrl,
      limiter: createRateLimiter({ counter, perMinute: 100, clock, onFailure: () => undefined }),
      trustedProxies: NO_NETWORKS,
      secrets: { current: new Map([[name, [{ value: sender.secret }]]]) },
      keys: createRotatingKeys({ server, good, clock, log, metrics: recordingMetrics() }),
      toleranceSeconds: undefined,
      maxBodyBytes: 10_000,
      proofOf: () => 'required' as const,
      clock,
      audit,
    }
    const edge = { clock, log, baseUrl, trustedOrigins: [], trustedProxies: NO_NETWORKS, profile: 'default' }
    const handler = endpoint(
      ROUTES.webhookProvider,
      edge,
      signedByName(ROUTES.webhookProvider, intake, KNOWN),
      ({ input }) => answer(input, inbox, clock),
    )
    return async (sourceIp: string, { headers, body }: Sent) => {
      const event = httpEvent({ method: 'POST', path: `/webhooks/${name}`, headers, body })
      event.requestContext.http.sourceIp = sourceIp
      return (await handler(event, lambdaContext())).statusCode
    }
  }

  return { sender, clock, server, store, instance }
}

const NAMES = Object.keys(SENDERS) as Name[]
const ALL = Array.from({ length: 20 }, () => 200)

/**
 * Ten minutes with 85 calls a minute under keys that do not exist, and a genuine call every thirty seconds.
 * @param attacker the address of a made-up call by its number
 */
async function attacked(name: Name, attacker: (call: number) => string, isFirst: boolean) {
  const { sender, clock, server, store, instance } = deployment(name)
  if (!isFirst) expect(await instance()('192.0.2.9', sender.call('before', clock.now()))).toBe(200)
  const [post, before] = [instance(), server.asked.length]
  const genuine: (number | undefined)[] = []
  for (let call = 1; call <= 850; call++, clock.advance(MINUTE / 85)) {
    await post(attacker(call), sender.call(`forged-${call}`, clock.now(), call))
    if (call % 42 === 0) genuine.push(await post(`192.0.2.${call % 9}`, sender.call(`e-${call}`, clock.now())))
  }
  return { genuine, fetches: server.asked.length - before, stored: store.events.size - Number(!isFirst) }
}

describe('S4 85 calls a minute under made-up keys leave each of 20 genuine ones accepted, on a cold instance', () => {
  it.each(NAMES)('of %s: from one address', async (name) => {
    const { genuine, fetches, stored } = await attacked(name, () => '203.0.113.7', true)
    expect(genuine).toEqual(ALL)
    expect(stored).toBe(20)
    expect(fetches).toBeLessThanOrEqual(1 + 20)
  })

  it.each(NAMES)('of %s: from all addresses of a network of IPv6', async (name) => {
    const { genuine } = await attacked(name, (call) => `2001:db8::${call.toString(16)}`, true)
    expect(genuine).toEqual(ALL)
  })

  it.each(NAMES)('of %s: from a new network each time, if the key was good before', async (name) => {
    const { genuine } = await attacked(name, (call) => `203.0.${call % 113}.${call % 251}`, false)
    expect(genuine).toEqual(ALL)
  })
})

describe('a call that makes us fetch a key', () => {
  it('costs ten of the rate limit, one under a known key one', async () => {
    const { sender, clock, instance } = deployment('sns')
    const post = instance()
    const sent = async (calls: number, madeUp = 0) => {
      const statuses: (number | undefined)[] = []
      for (let call = 0; call < calls; call++)
        statuses.push(await post('192.0.2.1', sender.call(`e-${madeUp}-${call}`, clock.now(), madeUp)))
      return statuses
    }
    expect(await sent(1)).toEqual([200])
    expect(await sent(90)).toEqual(Array.from({ length: 90 }, () => 200))
    expect(await sent(1)).toEqual([429])
  })

  it('is fetched for, and answered, also where the limit has room for it alone', async () => {
    const { sender, clock, instance } = deployment('sns')
    const forged = { headers: {}, body: '{}' }
    const post = instance()
    for (let call = 0; call < 99; call++) expect(await post('192.0.2.1', forged)).toBe(401)
    expect(await post('192.0.2.1', sender.call('e-1', clock.now()))).toBe(200)
    expect(await post('192.0.2.1', forged)).toBe(429)
  })
})
