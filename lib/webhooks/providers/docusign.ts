import type { Buffer } from 'node:buffer'
import { first, joined, textIn } from '../find.ts'
import { parseJson } from '../json.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { ProviderSample } from '../sample.ts'
import { readBase64 } from '../schemes/encoding.ts'
import { HMAC_SHA256 } from '../schemes/methods.ts'
import { OF_ANY_AGE, type SignatureScheme } from '../schemes/scheme.ts'

const HEADER = /^x-docusign-signature-\d{1,3}$/

/**
 * developers.docusign.com, "Using HMAC security with Docusign Connect": one header per configured key, counted from 1
 * up to 100.
 */
const scheme: SignatureScheme = {
  header: 'x-docusign-signature-1',
  methods: [HMAC_SHA256],
  read({ headers, body }) {
    const signatures = Object.entries(headers).flatMap(([name, value = '']) =>
      HEADER.test(name) ? (readBase64(value) ?? []) : [],
    )
    return signatures.length > 0 ? { method: HMAC_SHA256, signatures, signed: () => [body] } : undefined
  },
  ...OF_ANY_AGE,
}

export const provider = {
  scheme,
  identity: [
    {
      rule: 'signed-id',
      id: joined(
        '|',
        textIn('data', 'envelopeId'),
        textIn('event'),
        textIn('generatedDateTime'),
        first(textIn('data', 'recipientId'), () => '-'),
      ),
      retryMarks: [['retryCount']],
    },
  ],
  /** "Troubleshooting DocuSign Connect" and others name one, seven and fifteen days. */
  retries: retriesFor(15 * 24),
  type: textIn('event'),
  parse: parseJsonOrXml,
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['envelope-completed', 'envelope-sent', 'envelope-declined'],
  draft: (event, { id, at }) => ({
    body: { event, generatedDateTime: at.toISOString(), data: { accountId: 'gatehouse', envelopeId: id } },
  }),
  prove: ({ base64 }) => ({ headers: { 'x-docusign-signature-1': base64 } }),
  described: { header: '`X-DocuSign-Signature-1` to `-100`', secret: 'text', signed: 'body' },
})

/** In its older form Connect sends an envelope as XML; of that, only the fields that identify it are read. */
function parseJsonOrXml(body: Buffer): unknown {
  const text = body.toString()
  if (!text.trimStart().startsWith('<')) return parseJson(body)
  const [, envelopeId] = /<EnvelopeID>([^<]{1,100})<\/EnvelopeID>/.exec(text) ?? []
  const [, generatedDateTime] = /<TimeGenerated>([^<]{1,100})<\/TimeGenerated>/.exec(text) ?? []
  return { event: 'envelope', generatedDateTime, data: { envelopeId } }
}
