import { Buffer } from 'node:buffer'
import { createHmac } from 'node:crypto'

/** What Standard Webhooks take for a secret; the other schemes take any text. */
export const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

interface Row {
  /** The secret, as the scheme reads it. */
  readonly key: Buffer
  /** What is signed before the body. */
  readonly prefix: string
  /** The headers that a sender makes of a signature. */
  readonly headers: (signature: Buffer) => Readonly<Record<string, string>>
}

const SECONDS = Math.floor(Date.now() / 1000)
const TEXT = Buffer.from(SECRET)

const SCHEMES = {
  stripe: {
    key: TEXT,
    prefix: `${SECONDS}.`,
    headers: (signature) => ({ 'stripe-signature': `t=${SECONDS},v1=${signature.toString('hex')}` }),
  },
  github: {
    key: TEXT,
    prefix: '',
    headers: (signature) => ({ 'x-hub-signature-256': `sha256=${signature.toString('hex')}` }),
  },
  'standard-webhooks': {
    key: Buffer.from(SECRET.slice('whsec_'.length), 'base64'),
    prefix: `msg_1.${SECONDS}.`,
    headers: (signature) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': `${SECONDS}`,
      'webhook-signature': `v1,${signature.toString('base64')}`,
    }),
  },
} as const satisfies Record<string, Row>

export type Scheme = keyof typeof SCHEMES

/** A signed webhook as it arrives, and what its signature is made of. */
export interface Delivery extends Pick<Row, 'key' | 'prefix'> {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
  readonly signature: Buffer
}

/** A delivery of so many bytes that was signed just now. */
export function delivery(scheme: Scheme, bytes: number): Delivery {
  const { key, prefix, headers }: Row = SCHEMES[scheme]
  const body = bodyOf(bytes)
  const signature = createHmac('sha256', key).update(prefix).update(body).digest()
  return { key, prefix, body, signature, headers: headers(signature) }
}

const ITEM = { id: 'li_1', object: 'line_item', amount: 1999, currency: 'eur', description: 'A book', quantity: 1 }

/** JSON of that length: an event with as many items as fit, and a note that fills it up. */
function bodyOf(bytes: number): Buffer {
  const items = Array(Math.floor((bytes - 300) / (JSON.stringify(ITEM).length + 1))).fill(ITEM)
  const textWith = (note: string) =>
    JSON.stringify({ id: 'evt_1', type: 'payment_intent.succeeded', data: { object: { id: 'pi_1', items, note } } })
  return Buffer.from(textWith('x'.repeat(bytes - textWith('').length)))
}
