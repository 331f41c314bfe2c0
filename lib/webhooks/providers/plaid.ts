import { Buffer } from 'node:buffer'
import { joined, textIn } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { jsonObject, readJws } from '../schemes/jws.ts'
import { ES256_JWK, sha256 } from '../schemes/methods.ts'
import { bodyOf, type KeyAnswer, type PublishedKey, type Rotation } from '../schemes/rotation.ts'
import { type Headers, REFUSALS, type SignatureScheme } from '../schemes/scheme.ts'

/** The credentials of a client, and the environment that they are for. */
const CREDENTIALS = /^([\w-]{1,128}):([\w-]{1,128})@(sandbox|production)$/

const jwsIn = (headers: Headers) => readJws(headers['plaid-verification'] ?? '')

/** plaid.com/docs/api/webhooks/webhook-verification, "Get the verification key". */
const rotation: Rotation = {
  isName: (secret) => CREDENTIALS.test(secret),
  keyOf({ headers }, credentials) {
    const [, clientId, secret, environment] = CREDENTIALS.exec(credentials) ?? []
    const id = jwsIn(headers)?.keyId
    if (clientId === undefined || id === undefined) return undefined
    return {
      document: `plaid ${environment} ${clientId} ${id}`,
      id,
      request: {
        url: `https://${environment}.plaid.com/webhook_verification_key/get`,
        body: JSON.stringify({ client_id: clientId, secret, key_id: id }),
      },
      keysIn,
      secretWith: (key) => key,
    }
  },
}

/** plaid.com/docs/errors/invalid-input: the code for a key that Plaid does not have. */
const UNKNOWN_ID = 'INVALID_WEBHOOK_VERIFICATION_KEY_ID'

function keysIn(answer: KeyAnswer): ReadonlyMap<string, PublishedKey> {
  const isUnknown = answer.status === 400 && jsonObject(answer.body)['error_code'] === UNKNOWN_ID
  if (isUnknown) return new Map()
  const key = Object(jsonObject(bodyOf(answer))['key'])
  const { kid, expired_at: expiredAt } = key
  if (typeof kid !== 'string') throw new Error('the answer holds no key')
  return new Map([
    [
      kid,
      { text: JSON.stringify(key), ...(typeof expiredAt === 'number' && { notAfter: new Date(expiredAt * 1000) }) },
    ],
  ])
}

/** plaid.com/docs/api/webhooks/webhook-verification: a JWS that signs the body's hash. */
const scheme: SignatureScheme = {
  header: 'plaid-verification',
  methods: [ES256_JWK],
  rotation,
  read({ headers, body }) {
    const jws = jwsIn(headers)
    if (!jws) return undefined
    return {
      method: ES256_JWK,
      signatures: [jws.signature],
      signed: () => [jws.signed],
      confirm() {
        const { alg, crit } = jws.header()
        const { iat, request_body_sha256: bodyHash } = jws.claims()
        // A token with the hash of another body does not sign this body.
        const isThisBody = bodyHash === sha256(body).toString('hex')
        const isPlaids = alg === 'ES256' && crit === undefined && typeof iat === 'number'
        return isPlaids && isThisBody ? { signedAt: iat * 1000 } : undefined
      },
    }
  },
  toleranceSeconds: 300,
  refusals: REFUSALS,
}

export const provider = {
  scheme,
  /** Daily news of an item has the same bytes each day; only the signed time distinguishes them. */
  identity: [{ rule: 'time+body' }],
  /** support.plaid.com: tries for 24 hours. A signed time is good for five minutes, so each try needs a new one. */
  retries: retriesFor(24, true),
  type: joined(':', textIn('webhook_type'), textIn('webhook_code')),
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['TRANSACTIONS:SYNC_UPDATES_AVAILABLE', 'ITEM:ERROR'],
  draft: (event, { id }) => {
    const [webhook_type, webhook_code] = event.split(':')
    return { body: { webhook_type, webhook_code, item_id: id, environment: 'sandbox' } }
  },
  prove: ({ base64url, seconds }, { body }) => {
    const bodyHash = sha256(body).toString('hex')
    const parts = [
      { alg: 'ES256', typ: 'JWT' },
      { iat: Number(seconds), request_body_sha256: bodyHash },
    ]
    const signed = parts.map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    return { headers: { 'plaid-verification': [...signed, base64url].join('.') } }
  },
  described: {
    header: '`Plaid-Verification`',
    secret: '`<client id>:<secret>@<sandbox or production>`, or a public JSON Web Key, as text',
    signed: "time (300 s), the body's SHA-256",
  },
})
