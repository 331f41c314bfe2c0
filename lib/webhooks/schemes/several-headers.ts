import { readBase64, readInstant } from './encoding.ts'
import { HMAC_SHA256 } from './methods.ts'
import { ANY_AGE, REFUSALS, type SignatureScheme } from './scheme.ts'

const DOCUSIGN = /^x-docusign-signature-\d{1,3}$/

/** developers.docusign.com, "Using HMAC security with Docusign Connect": one header per configured key, counted from 1 up to 100. */
export const docusign: SignatureScheme = {
  header: 'x-docusign-signature-1',
  methods: [HMAC_SHA256],
  read({ headers, body }) {
    const signatures = Object.entries(headers).flatMap(([name, value = '']) =>
      DOCUSIGN.test(name) ? (readBase64(value) ?? []) : [],
    )
    return signatures.length > 0 ? { method: HMAC_SHA256, signatures, signed: () => [body] } : undefined
  },
  toleranceSeconds: ANY_AGE,
  refusals: REFUSALS,
}

const ZENDESK = 'x-zendesk-webhook-signature'

/** developer.zendesk.com, "Verifying webhook authenticity": the time, then the body. */
export const zendesk: SignatureScheme = {
  header: ZENDESK,
  methods: [HMAC_SHA256],
  read({ headers, body }) {
    const timestamp = headers[`${ZENDESK}-timestamp`] ?? ''
    const signedAt = readInstant(timestamp)
    const signature = readBase64(headers[ZENDESK] ?? '')
    if (!signature || signedAt === undefined) return undefined
    return { method: HMAC_SHA256, signatures: [signature], signed: () => [timestamp, body], signedAt }
  },
  toleranceSeconds: ANY_AGE,
  refusals: REFUSALS,
}
