import { expect, it } from 'vitest'
import { SAMPLES } from '../../../../lib/webhooks/providers/samples.ts'
import { START } from '../../../support/fakes/clock.ts'
import { receiverFor, signedBy } from '../../../support/webhook-receiver.ts'

type Name = keyof typeof SAMPLES

/** How a sender names its events outside the signature, and what somebody may do with one captured call of it. */
interface Captured {
  readonly type?: string
  readonly id: string
  readonly genuine: string
  /** Another type that tells of the same resource, and one of another resource. */
  readonly sibling: string
  readonly stranger: string
  /** How often the type of the call itself acts. */
  readonly acts: number
  /** How often a sibling does. */
  readonly siblingActs: number
}

const CAPTURED: Readonly<Partial<Record<Name, Captured>>> = {
  shopify: {
    type: 'x-shopify-topic',
    id: 'x-shopify-webhook-id',
    genuine: 'orders/create',
    sibling: 'orders/paid',
    stranger: 'customers/update',
    acts: 1,
    siblingActs: 1,
  },
  woocommerce: {
    type: 'x-wc-webhook-topic',
    id: 'x-wc-webhook-delivery-id',
    genuine: 'order.created',
    sibling: 'order.updated',
    stranger: 'customer.created',
    acts: 1,
    siblingActs: 1,
  },
  bitbucket: {
    type: 'x-event-key',
    id: 'x-request-uuid',
    genuine: 'issue:comment_created',
    sibling: 'issue:updated',
    stranger: 'repo:push',
    acts: 1,
    siblingActs: 0,
  },
  github: {
    type: 'x-github-event',
    id: 'x-github-delivery',
    genuine: 'issue_comment',
    sibling: 'issues',
    stranger: 'push',
    acts: 21,
    siblingActs: 0,
  },
  razorpay: {
    id: 'x-razorpay-event-id',
    genuine: 'payment.captured',
    sibling: 'payment.failed',
    stranger: 'refund.processed',
    acts: 1,
    siblingActs: 0,
  },
  linear: {
    id: 'linear-delivery',
    genuine: 'Issue',
    sibling: 'Comment',
    stranger: 'Project',
    acts: 1,
    siblingActs: 0,
  },
  square: {
    id: 'x-square-retry-number',
    genuine: 'payment.updated',
    sibling: 'payment.created',
    stranger: 'refund.created',
    acts: 1,
    siblingActs: 0,
  },
}

it.each(Object.entries(CAPTURED))(
  'S2 a captured call of %s, sent twenty times under other ids and types, acts as its sender may have meant, and never for another resource',
  async (name, { type, id, genuine, sibling, stranger, acts, siblingActs }) => {
    const sample = SAMPLES[name as Name]
    const { headers, body } = sample.draft(genuine, { id: 'first', at: START })
    const receiver = receiverFor(name)
    const call = signedBy(name, sample, { headers: { ...headers }, body }, START)
    expect(await receiver.receive(call)).toBe('stored')
    for (const [which, used] of [sibling, stranger, genuine].entries())
      for (let n = 0; n < 20; n++) {
        const changed = { ...call.headers, ...(type && { [type]: used }), [id]: `${which}-${n}` }
        const outcome = await receiver.receive({ ...call, headers: changed })
        expect(['alike', 'held', 'duplicate']).toContain(outcome)
      }
    const acting = (wanted: string) => receiver.events().filter((event) => event.eventType === wanted && !event.held)
    expect(acting(stranger)).toEqual([])
    expect(acting(sibling)).toHaveLength(siblingActs)
    expect(acting(genuine)).toHaveLength(acts)
    expect(acting(sibling).every(({ typeConflict, possibleDuplicateOf }) => typeConflict && possibleDuplicateOf)).toBe(
      true,
    )
    expect(receiver.store.queue.length).toBeLessThanOrEqual(acts)
  },
)

const order = { id: 7, number: '7', total: '10.99', status: 'processing' }

it.each<
  [
    string,
    Name,
    readonly { readonly headers: Record<string, string>; readonly body: object; readonly after?: number }[],
    string,
  ]
>([
  [
    'a new order of WooCommerce, which comes as created and as updated',
    'woocommerce',
    ['order.created', 'order.updated'].map((topic) => ({
      headers: { 'x-wc-webhook-topic': topic, 'x-wc-webhook-delivery-id': topic },
      body: order,
    })),
    'alike',
  ],
  [
    'a product of Shopify that is deleted, made again and deleted',
    'shopify',
    ['a', 'b'].map((id, index) => ({
      headers: { 'x-shopify-topic': 'products/delete', 'x-shopify-webhook-id': id },
      body: { id: 7 },
      after: index * 86_400,
    })),
    'alike',
  ],
  [
    'a coupon of WooCommerce that is deleted twice',
    'woocommerce',
    ['a', 'b'].map((id) => ({
      headers: { 'x-wc-webhook-topic': 'coupon.deleted', 'x-wc-webhook-delivery-id': id },
      body: { id: 7 },
      after: 3600,
    })),
    'alike',
  ],
  [
    'W1 a workflow of GitHub that is started twice with the same inputs',
    'github',
    ['a', 'b'].map((id) => ({
      headers: { 'x-github-event': 'workflow_dispatch', 'x-github-delivery': id },
      body: { inputs: {}, ref: 'refs/heads/main', workflow: 'deploy.yml' },
      after: 60,
    })),
    'alike',
  ],
  [
    'a deletion that comes as a change, because a deleted thing is only its id',
    'woocommerce',
    ['product.deleted', 'product.updated'].map((topic) => ({
      headers: { 'x-wc-webhook-topic': topic, 'x-wc-webhook-delivery-id': topic },
      body: { id: 7 },
    })),
    'held',
  ],
])('the second of two calls with one body is accepted or held: %s', async (_, name, calls, wanted) => {
  const receiver = receiverFor(name)
  const outcomes = []
  for (const { after = 0, ...message } of calls) {
    receiver.clock.advance(after * 1000)
    outcomes.push(await receiver.receive(signedBy(name, SAMPLES[name], message, receiver.clock.now())))
  }
  expect(outcomes).toEqual(['stored', wanted])
})
