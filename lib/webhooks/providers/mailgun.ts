import { fail } from '../../errors.ts'
import { body, textIn } from '../find.ts'
import type { Provider } from '../provider.ts'
import { type ProviderSample, rewritten, secondsOf } from '../sample.ts'
import { readHex, readTenDigits } from '../schemes/encoding.ts'
import { isSame, jsonOf } from '../schemes/inside-body.ts'
import { HMAC_SHA256 } from '../schemes/methods.ts'
import { scannerOf } from '../schemes/scan.ts'
import { OF_ANY_AGE, type SignatureScheme, UNSIGNED_BODY_BYTES } from '../schemes/scheme.ts'

const FIELDS = ['signature', 'timestamp', 'token'].map((name) => ['signature', name])

const scan = scannerOf(FIELDS)

/**
 * documentation.mailgun.com, "Securing webhooks": time and token are signed, the body is not. Both have a fixed width,
 * because no separator stands between them.
 */
const scheme: SignatureScheme = {
  methods: [HMAC_SHA256],
  read({ body }) {
    if (body.length > UNSIGNED_BODY_BYTES) throw fail('PAYLOAD_TOO_LARGE')
    const [mac = '', timestamp = '', token = ''] = scan(body)
    const signedAt = readTenDigits(timestamp)
    const signature = readHex(mac)
    if (!signature || signedAt === undefined || token.length !== 50) return undefined
    return {
      method: HMAC_SHA256,
      signatures: [signature],
      signed: () => [timestamp + token],
      confirm: () => (isSame(jsonOf(body), FIELDS, [mac, timestamp, token]) ? { signedAt } : undefined),
    }
  },
  ...OF_ANY_AGE,
}

export const provider = {
  scheme,
  /** A signature is valid for one token, whatever body comes with it. */
  ids: [{ find: body('signature', 'token'), isSigned: true, isRequired: true }],
  type: textIn('event-data', 'event'),
} as const satisfies Provider

interface MailgunCall {
  readonly signature: { readonly token: string }
}

export const sample = (): ProviderSample => ({
  events: ['delivered', 'opened', 'failed'],
  draft: (event, { id, at }) => ({
    body: {
      signature: { token: id.replaceAll('-', '').padEnd(50, '0') },
      'event-data': { event, id, recipient: 'user@example.com', timestamp: secondsOf(at) },
    },
  }),
  prove: ({ hex, seconds }, { body }) => ({
    body: rewritten(body, (values) => {
      const { token } = (values as unknown as MailgunCall).signature
      return { ...values, signature: { timestamp: seconds, token, signature: hex } }
    }),
  }),
  described: { header: 'in the body', secret: 'text', signed: 'time, token; not the body', id: 'the token' },
})
