import { fail } from '../../errors.ts'
import { formFields, fromUtf8 } from '../../runtime/text.ts'
import { first, header, joined, type Message, textIn } from '../find.ts'
import { parseFormOrJson } from '../form-payload.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readBase64 } from '../schemes/encoding.ts'
import { HMAC_SHA1, sha256 } from '../schemes/methods.ts'
import {
  demandFewBytes,
  OF_ANY_AGE,
  type SignatureScheme,
  type SignedCall,
  type SignedPart,
} from '../schemes/scheme.ts'

/**
 * twilio.com/docs/usage/webhooks/webhooks-security: the signature covers the address and the fields of a form, sorted
 * by name. It covers any other body only through its hash in the address.
 */
const scheme: SignatureScheme = {
  readsBody: true,
  header: 'x-twilio-signature',
  methods: [HMAC_SHA1],
  read(call) {
    const signature = readBase64(call.headers['x-twilio-signature'] ?? '')
    if (!signature) return undefined
    const proof = { method: HMAC_SHA1, signatures: [signature] }
    const bodyHash = bodyHashIn(call.url)
    if (bodyHash !== undefined) {
      // An address with the hash of another body does not sign this body.
      const isThisBody = () => bodyHash === sha256(call.body).toString('hex')
      return {
        ...proof,
        signed: () => [call.url],
        alsoSigned: () => spellings(call.url, [call.url]),
        confirm: () => (isThisBody() ? {} : undefined),
      }
    }
    const signed = formText(call)
    return signed && { ...proof, signed: () => signed, alsoSigned: () => spellings(call.url, signed), covers: 'fields' }
  },
  ...OF_ANY_AGE,
}

export const provider = {
  scheme,
  /**
   * The fields of a status callback identify its subject and status; other calls have only the token, which is not signed.
   * The signed text does not separate names from values: whatever its split into fields, an equal text is the same event.
   */
  identity: [
    {
      rule: 'id+body',
      id: first(
        joined('|', textIn('MessageSid'), textIn('MessageStatus')),
        joined('|', textIn('CallSid'), textIn('CallStatus'), textIn('SequenceNumber')),
        statusText,
      ),
      repeats: 'drop',
    },
    { rule: 'id+body', id: header('i-twilio-idempotency-token') },
  ],
  /** twilio.com/docs, "Event delivery retries and event duplication": at most four hours. */
  retries: retriesFor(4),
  type: first(textIn('EventType'), textIn('MessageStatus'), textIn('CallStatus')),
  keptHeaders: ['i-twilio-idempotency-token'],
  parse: parseFormOrJson,
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['sent', 'delivered', 'undelivered'],
  isForm: true,
  draft: (MessageStatus, { id }) => ({
    headers: { 'i-twilio-idempotency-token': id },
    body: { MessageSid: `SM${id.replaceAll('-', '')}`, MessageStatus, From: '+15005550006', To: '+15005550001' },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-twilio-signature': base64 } }),
  described: {
    header: '`X-Twilio-Signature` (SHA-1)',
    secret: 'text',
    signed: "address, and the form or the body's SHA-256",
    alike: 'A call has the id of its message or call: twilio.com/docs/messaging/guides/webhook-request',
  },
})

/** What the signed text of a status callback holds, sorted by name. */
const STATUS = /MessageSid.*MessageStatus|CallSid.*CallStatus.*SequenceNumber/s

/** The hash of a signed text that another split hides the fields of. */
function statusText({ proven }: Message): string | undefined {
  if (proven?.covers !== 'fields') return undefined
  const text = proven.signed().map(String).join('')
  return STATUS.test(text) ? sha256(text).toString('hex') : undefined
}

function bodyHashIn(url: string): string | undefined {
  return (URL.canParse(url) && new URL(url).searchParams.get('bodySHA256')) || undefined
}

/**
 * The signed text of a form; undefined for a body that is signed through its hash.
 * @throws ServiceError `PAYLOAD_TOO_LARGE` for a form of too many bytes or fields
 */
function formText(call: SignedCall): readonly SignedPart[] | undefined {
  const { url, headers, body } = call
  if (body.length === 0) return [url]
  const isForm = headers['content-type']?.toLowerCase().startsWith('application/x-www-form-urlencoded') ?? false
  if (!isForm) return undefined
  demandFewBytes(call)
  const form = fromUtf8(body)
  if (form === undefined) return undefined
  const fields = formFields(form)
  if (!fields) throw fail('PAYLOAD_TOO_LARGE')
  return [url, ...sortedFields(fields)]
}

/** twilio-node, `validateRequest`, takes the address with and without the port of its protocol. */
function spellings(url: string, [, ...rest]: readonly SignedPart[]): readonly (readonly SignedPart[])[] {
  if (!URL.canParse(url)) return []
  const { protocol, hostname, origin } = new URL(url)
  const path = url.slice(origin.length)
  const port = protocol === 'https:' ? 443 : 80
  return [hostname, `${hostname}:${port}`].map((host) => [`${protocol}//${host}${path}`, ...rest])
}

/** Sorted by name, then by value; a field that occurs twice with the same value counts once. */
function sortedFields(fields: readonly (readonly [name: string, value: string])[]): readonly string[] {
  const sorted = fields
    .map(([name, value]) => ({ name, value }))
    .sort((one, other) => compare(one.name, other.name) || compare(one.value, other.value))
  const isRepeated = (index: number) =>
    sorted[index]?.name === sorted[index - 1]?.name && sorted[index]?.value === sorted[index - 1]?.value
  return sorted.filter((_, index) => index === 0 || !isRepeated(index)).map(({ name, value }) => name + value)
}

function compare(one: string, other: string): number {
  return Number(one > other) - Number(one < other)
}
