import { createHmac } from 'node:crypto'
import type { Ready } from '../../localstack/ready.ts'

export interface Call {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** One kind of call among those that a service gets all day. */
export interface Kind {
  readonly name: string
  /** Of a hundred calls. */
  readonly share: number
  readonly status: number
  /** @param number of the call, which makes it another than those before */
  readonly make: (number: number) => Call
  /** The sender and the id of the event that is stored once the call is answered as it should. */
  readonly stores?: (number: number) => StoredId
}

export interface StoredId {
  readonly source: string
  readonly eventId: string
}

const JSON_TYPE = { 'content-type': 'application/json' }

/** The day of a service with more webhooks than people, who come with a token, a password, with nothing, or wrongly. */
export function kindsFor({ users, webhookSecrets }: Ready, token: string, run: string): readonly Kind[] {
  const password = users.find(({ username }) => username === 'admin')?.password ?? ''
  const bearer = { authorization: `Bearer ${token}` }
  const basic = { authorization: `Basic ${Buffer.from(`admin:${password}`).toString('base64')}` }
  const paymentId = (number: number) => `${run}-payment-${number}`
  const stripeId = (number: number) => `${run}-stripe-${number}`
  const get = (path: string, headers = {}) => ({ method: 'GET', path, headers }) as const
  const pay = (number: number): Call => {
    const id = paymentId(number)
    const body = { eventId: id, transactionId: id, orderId: id, status: 'COMPLETED', amount: 10, currency: 'EUR' }
    return { method: 'POST', path: '/webhooks/payment', headers: JSON_TYPE, body: JSON.stringify(body) }
  }
  const stripe = (number: number, secret: string): Call => {
    const object = { id: `pi_${number}`, object: 'payment_intent', amount: 1000, currency: 'eur' }
    const event = { id: stripeId(number), type: 'payment_intent.succeeded', data: { object } }
    const body = JSON.stringify(event)
    const t = Math.floor(Date.now() / 1000)
    const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
    const headers = { ...JSON_TYPE, 'stripe-signature': `t=${t},v1=${v1}` }
    return { method: 'POST', path: '/webhooks/stripe', headers, body }
  }
  const secret = webhookSecrets['stripe'] ?? ''
  return [
    { name: 'public', share: 15, status: 200, make: () => get('/api/public/hello') },
    { name: 'token', share: 20, status: 200, make: () => get('/api/admin/secure', bearer) },
    { name: 'password', share: 5, status: 200, make: () => get('/api/jdbc/users', basic) },
    { name: 'nobody', share: 5, status: 401, make: () => get('/api/admin/secure') },
    {
      name: 'payment',
      share: 30,
      status: 200,
      make: pay,
      stores: (number) => ({ source: 'payment', eventId: paymentId(number) }),
    },
    { name: 'duplicate', share: 5, status: 200, make: () => pay(-1) },
    {
      name: 'stripe',
      share: 10,
      status: 200,
      make: (number) => stripe(number, secret),
      stores: (number) => ({ source: 'stripe', eventId: stripeId(number) }),
    },
    { name: 'forged', share: 5, status: 400, make: (number) => stripe(number, 'another secret') },
    { name: 'list', share: 5, status: 200, make: () => get('/api/webhooks/events?limit=20', bearer) },
  ]
}

/** The kinds in turn, each as often as its share, spread evenly and the same each time. */
export function rotationOf(kinds: readonly Kind[]): readonly Kind[] {
  const slots = kinds.flatMap((kind) =>
    Array.from({ length: kind.share }, (_, index) => ({ kind, at: (index + 0.5) / kind.share })),
  )
  return slots.sort((one, other) => one.at - other.at).map(({ kind }) => kind)
}
