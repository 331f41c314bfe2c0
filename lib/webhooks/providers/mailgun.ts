import { body, first, pick, textIn } from '../find.ts'
import { fieldsOfForm } from '../form-payload.ts'
import { parseJson } from '../json.ts'
import { type Provider, retriesFor } from '../provider.ts'
import { type ProviderSample, rewritten, secondsOf } from '../sample.ts'
import { readHex, readTenDigits } from '../schemes/encoding.ts'
import { HMAC_SHA256 } from '../schemes/methods.ts'
import { isSame, jsonOf, scannerOf } from '../schemes/scan.ts'
import { demandFewBytes, OF_ANY_AGE, type SignatureScheme } from '../schemes/scheme.ts'

const NAMES = ['signature', 'timestamp', 'token'] as const

/** A webhook has them in an object of JSON; a message that a route forwards has them among the fields of a form. */
const FIELDS = NAMES.map((name) => ['signature', name])

const scan = scannerOf(FIELDS)

/**
 * documentation.mailgun.com, "Securing webhooks": time and token are signed, the body is not. Both have a fixed width,
 * because no separator stands between them.
 */
const scheme: SignatureScheme = {
  readsBody: true,
  methods: [HMAC_SHA256],
  read(call) {
    demandFewBytes(call)
    const { body } = call
    const form = fieldsOfForm(body)
    const [mac = '', timestamp = '', token = ''] = form ? NAMES.map((name) => form.get(name)) : scan(body)
    const signedAt = readTenDigits(timestamp)
    const signature = readHex(mac)
    if (!signature || signedAt === undefined || token.length !== 50) return undefined
    const isSameJson = () => isSame(jsonOf(body), FIELDS, [mac, timestamp, token])
    return {
      method: HMAC_SHA256,
      signatures: [signature],
      signed: () => [timestamp + token],
      covers: 'fields',
      fields: [['signature', 'token'], ['token']],
      confirm: () => (form !== undefined || isSameJson() ? { signedAt } : undefined),
    }
  },
  ...OF_ANY_AGE,
}

export const provider = {
  scheme,
  /** A signature is good for one token, whatever body comes with it. */
  identity: [{ rule: 'signed-id', id: first(body('signature', 'token'), body('token')) }],
  /** help.mailgun.com, "Webhooks": eight hours. */
  retries: retriesFor(8),
  type: first(textIn('event-data', 'event'), ({ payload }) => (pick(payload, ['token']) ? 'route' : undefined)),
  parse(bytes) {
    const form = fieldsOfForm(bytes)
    return form ? Object.fromEntries(form) : parseJson(bytes)
  },
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
  described: { header: 'in the body', secret: 'text', signed: 'time, token; not the body' },
})
