import { type Find, joined, pick, summaryOf, textIn, valueAt } from '../find.ts'
import { type Provider, retriesFor } from '../provider.ts'
import { type ProviderSample, rewritten } from '../sample.ts'
import { readBase64 } from '../schemes/encoding.ts'
import { HMAC_SHA256_HEX_KEY } from '../schemes/methods.ts'
import { isSame, jsonOf, scannerOf } from '../schemes/scan.ts'
import { demandFewBytes, OF_ANY_AGE, type SignatureScheme } from '../schemes/scheme.ts'

const ITEM = ['notificationItems', '0', 'NotificationRequestItem'] as const

/** The eight signed fields; the signature covers no other part of the body. */
const FIELDS = [
  ['pspReference'],
  ['originalReference'],
  ['merchantAccountCode'],
  ['merchantReference'],
  ['amount', 'value'],
  ['amount', 'currency'],
  ['eventCode'],
  ['success'],
].map((path) => [...ITEM, ...path])

const SIGNATURE = [...ITEM, 'additionalData', 'hmacSignature']

const scan = scannerOf([SIGNATURE, ...FIELDS])

/** The separator of the fields. */
const SEPARATOR = ':'

const namedBy = joined(SEPARATOR, ...['pspReference', 'eventCode', 'success'].map((name) => textIn(...ITEM, name)))

/**
 * All three are signed. A field that contains the separator makes the signed text ambiguous: another split gives other
 * fields. Then only the signed text itself identifies the item.
 */
const idOfItem: Find = (message) => {
  const isAmbiguous = FIELDS.some((path) => pick(message.payload, path)?.includes(SEPARATOR))
  return isAmbiguous ? undefined : namedBy(message)
}

/** docs.adyen.com, "Verify HMAC signatures". */
const scheme: SignatureScheme = {
  readsBody: true,
  methods: [HMAC_SHA256_HEX_KEY],
  read(call) {
    demandFewBytes(call)
    const { body } = call
    const [mac = '', ...fields] = scan(body)
    const signature = readBase64(mac)
    if (!signature) return undefined
    const text = fields.join(SEPARATOR)
    return {
      method: HMAC_SHA256_HEX_KEY,
      signatures: [signature],
      signed: () => [text],
      covers: 'fields',
      fields: FIELDS,
      confirm() {
        const payload = jsonOf(body)
        // Adyen sends one item in JSON; the signature of the first would not cover a second.
        const items = valueAt(payload, ['notificationItems'])
        const isOne = Array.isArray(items) && items.length === 1
        return isOne && isSame(payload, [SIGNATURE, ...FIELDS], [mac, ...fields]) ? {} : undefined
      },
    }
  },
  ...OF_ANY_AGE,
}

export const provider = {
  scheme,
  /**
   * docs.adyen.com, "Handle webhook events": duplicates have the same `pspReference` and `eventCode`. The same id with
   * another signed amount is another event.
   */
  identity: [{ rule: 'id+body', id: idOfItem, repeats: 'signed' }],
  /** docs.adyen.com, "Troubleshoot webhooks": the retry queue lasts 30 days. */
  retries: retriesFor(30 * 24),
  type: textIn(...ITEM, 'eventCode'),
  summary: summaryOf(textIn(...ITEM, 'merchantReference'), textIn(...ITEM, 'pspReference')),
  /** docs.adyen.com, "Accept webhooks". */
  acknowledgement: '[accepted]',
} as const satisfies Provider

interface Notification {
  readonly notificationItems: readonly { readonly NotificationRequestItem: object }[]
}

export const sample = (): ProviderSample => ({
  events: ['AUTHORISATION', 'CAPTURE', 'REFUND'],
  draft: (eventCode, { id, at }) => {
    const item = {
      pspReference: id,
      originalReference: '',
      merchantAccountCode: 'GatehouseECOM',
      merchantReference: `order-${id}`,
      amount: { value: 1099, currency: 'EUR' },
      eventCode,
      success: 'true',
      eventDate: at.toISOString(),
    }
    return { body: { live: 'false', notificationItems: [{ NotificationRequestItem: item }] } }
  },
  prove: ({ base64: hmacSignature }, { body }) => ({
    body: rewritten(body, (values) => {
      const [one] = (values as unknown as Notification).notificationItems
      const item = { ...one?.NotificationRequestItem, additionalData: { hmacSignature } }
      return { ...values, notificationItems: [{ NotificationRequestItem: item }] }
    }),
  }),
  described: { header: 'in the body', secret: 'HMAC key, hexadecimal', signed: 'eight fields of the item' },
})
