import type * as z from 'zod'
import type { About } from '../../lib/endpoints/about.ts'
import { abouts } from '../../lib/endpoints/abouts.ts'
import type { EndpointName } from '../../lib/endpoints/index.ts'
import type { Provider } from '../../lib/webhooks/provider.ts'
import { PROVIDERS } from '../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import type { ProviderSample } from '../../lib/webhooks/sample.ts'
import { orderStatusPayload } from '../../lib/webhooks/sources/order-status.ts'
import { paymentPayload } from '../../lib/webhooks/sources/payment.ts'

export interface Operation extends About {
  /** The payload of a webhook, if we define it. */
  readonly payload?: z.core.$ZodType
}

/** Where each provider puts its proof, as a table of the description. */
const HEADERS = (Object.keys(PROVIDERS) as (keyof typeof PROVIDERS)[])
  .map((name) => {
    const { scheme }: Pick<Provider, 'scheme'> = PROVIDERS[name]
    return `| ${name} | ${scheme.header ?? SAMPLES[name].described.header.toLowerCase()} |`
  })
  .join('\n')

/** Additional facts, which only webhooks have. */
const BESIDE: Readonly<Partial<Record<EndpointName, Partial<Operation>>>> = {
  webhookPayment: {
    payload: paymentPayload,
    bodyExample: {
      eventId: 'evt-1',
      eventType: 'PAYMENT',
      transactionId: 'tx-1',
      orderId: 'order-1',
      status: 'COMPLETED',
      amount: '10.00',
      currency: 'EUR',
    },
  },
  webhookOrderStatus: {
    payload: orderStatusPayload,
    bodyExample: {
      eventId: 'evt-1',
      eventType: 'ORDER_STATUS',
      orderId: 'order-1',
      status: 'SHIPPED',
      trackingNumber: '00340434161094021501',
      carrier: 'DHL',
      estimatedDelivery: '2026-11-24',
    },
  },
  webhookStripe: { bodyExample: bodyOf(SAMPLES.stripe) },
  webhookGithub: { bodyExample: bodyOf(SAMPLES.github) },
  webhookProvider: {
    bodyExample: bodyOf(SAMPLES.shopify),
    description: `${abouts().webhookProvider.description}\n\n| provider | header |\n|---|---|\n${HEADERS}`,
  },
}

/** The body of the usual event of a provider. */
function bodyOf({ events: [event], draft }: ProviderSample): unknown {
  return draft(event, { id: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11', at: new Date('2026-11-21T07:00:00Z') }).body
}

/** The described facts of each endpoint. */
export const OPERATIONS = Object.fromEntries(
  Object.entries<About>(abouts()).map(([name, about]) => [name, { ...about, ...BESIDE[name as EndpointName] }]),
) as unknown as Readonly<Record<EndpointName, Operation>>
