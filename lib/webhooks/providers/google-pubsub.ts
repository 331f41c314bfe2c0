import { Buffer } from 'node:buffer'
import { body, first, header, textIn } from '../find.ts'
import { parsePayload } from '../form-payload.ts'
import { attempt } from '../json.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { jsonObject, readJws } from '../schemes/jws.ts'
import { RS256_JWK } from '../schemes/methods.ts'
import { bodyOf, type KeyAnswer, type PublishedKey, type Rotation } from '../schemes/rotation.ts'
import { type Headers, REFUSALS, type SignatureScheme } from '../schemes/scheme.ts'

/** developers.google.com/identity/openid-connect/openid-connect, "Obtain user information from the ID token". */
const ISSUERS: readonly unknown[] = ['https://accounts.google.com', 'accounts.google.com']

/** `jwks_uri` of accounts.google.com/.well-known/openid-configuration. */
const KEYS = 'https://www.googleapis.com/oauth2/v3/certs'

/** A token is good for an hour (google-auth-library, `OAuth2Client`: a day at most). */
const LONGEST_SECONDS = 86_400

const tokenIn = (headers: Headers) => readJws(/^bearer +(\S+)$/i.exec(headers['authorization'] ?? '')?.[1] ?? '')

/** The secret is who the token is of, and whom it is for. */
const rotation: Rotation = {
  isName: (secret) => /^[^\s@]+@[^\s@]+ \S+$/.test(secret),
  keyOf({ headers }, names) {
    const id = tokenIn(headers)?.keyId
    if (id === undefined) return undefined
    return { document: KEYS, id, request: { url: KEYS }, keysIn, secretWith: (key) => `${names} ${key}` }
  },
}

/** RFC 7517, section 5. */
function keysIn(answer: KeyAnswer): ReadonlyMap<string, PublishedKey> {
  const { keys } = jsonObject(bodyOf(answer))
  const listed = (Array.isArray(keys) ? keys : []).flatMap((key): [string, PublishedKey][] => {
    const { kid, kty, use = 'sig', alg = 'RS256' } = Object(key)
    const isUsable = typeof kid === 'string' && kty === 'RSA' && use === 'sig' && alg === 'RS256'
    return isUsable ? [[kid, { text: JSON.stringify(key) }]] : []
  })
  if (listed.length === 0) throw new Error('the answer holds no keys')
  return new Map(listed)
}

/**
 * cloud.google.com/pubsub/docs/authenticate-push-subscriptions: a token of OpenID Connect, which says who calls, and
 * nothing of what.
 */
const scheme: SignatureScheme = {
  header: 'authorization',
  methods: [RS256_JWK],
  rotation,
  read({ headers }) {
    const token = tokenIn(headers)
    if (!token) return undefined
    return {
      method: RS256_JWK,
      signatures: [token.signature],
      signed: () => [token.signed],
      covers: 'nothing',
      confirm(names) {
        const { alg, crit } = token.header()
        const { iss, aud, email, email_verified: isVerified, iat, exp } = token.claims()
        const isGoogles = alg === 'RS256' && crit === undefined && ISSUERS.includes(iss)
        const isOfSender = [email, aud].every((one) => typeof one === 'string') && `${email} ${aud}` === names
        if (!isGoogles || !isOfSender || isVerified !== true || typeof iat !== 'number' || typeof exp !== 'number')
          return undefined
        const isShort = exp > iat && exp - iat <= LONGEST_SECONDS
        return isShort ? { validity: { from: iat * 1000, until: exp * 1000 } } : undefined
      },
    }
  },
  toleranceSeconds: 300,
  refusals: REFUSALS,
}

export const provider = {
  scheme,
  /** A subscription with a dead-letter topic counts its tries in the body. */
  identity: [
    {
      rule: 'id+body',
      /** The header: cloud.google.com/pubsub/docs/payload-unwrapping, with metadata; the body is then the data alone. */
      id: first(body('message', 'messageId'), body('message', 'message_id'), header('x-goog-pubsub-message-id')),
      retryMarks: [['deliveryAttempt']],
    },
  ],
  /** cloud.google.com/pubsub/docs, "Handle message failures": until a message is seven days old, unless otherwise set. */
  retries: retriesFor(7 * 24, true),
  type: first(textIn('message', 'attributes', 'eventType'), header('eventtype')),
  keptHeaders: [
    'x-goog-pubsub-message-id',
    'x-goog-pubsub-subscription-name',
    'x-goog-pubsub-publish-time',
    'eventtype',
  ],
  parse: (bytes) => attempt(() => parsePayload(bytes)).payload,
} as const satisfies Provider

const SAMPLE_SENDER = { email: 'push@gatehouse.iam.gserviceaccount.com', aud: 'https://gatehouse' } as const

export const sample = (): ProviderSample => ({
  events: ['OBJECT_FINALIZE', 'OBJECT_DELETE'],
  keyName: `${SAMPLE_SENDER.email} ${SAMPLE_SENDER.aud}`,
  draft: (eventType, { id, at }) => ({
    body: {
      message: {
        attributes: { eventType },
        data: Buffer.from('Hello').toString('base64'),
        messageId: id,
        publishTime: at.toISOString(),
      },
      subscription: 'projects/gatehouse/subscriptions/hooks',
    },
  }),
  prove: ({ base64url, seconds }) => {
    const iat = Number(seconds)
    const claims = { iss: ISSUERS[0], ...SAMPLE_SENDER, email_verified: true, iat, exp: iat + 3600 }
    const signed = [{ alg: 'RS256', kid: 'gatehouse', typ: 'JWT' }, claims].map((part) =>
      Buffer.from(JSON.stringify(part)).toString('base64url'),
    )
    return { headers: { authorization: `Bearer ${[...signed, base64url].join('.')}` } }
  },
  described: {
    header: '`Authorization: Bearer`',
    secret: '`<e-mail of the service account> <audience>`, with or without a blank and a JSON Web Key behind it',
    signed: 'nothing of the call; the token has its times (300 s)',
  },
})
