import type * as z from 'zod'
import type { About } from '../../lib/endpoints/about.ts'
import { abouts } from '../../lib/endpoints/abouts.ts'
import type { EndpointName } from '../../lib/endpoints/index.ts'
import type { Provider } from '../../lib/webhooks/provider.ts'
import { PROVIDERS } from '../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
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
  webhookPayment: { payload: paymentPayload },
  webhookOrderStatus: { payload: orderStatusPayload },
  webhookProvider: {
    description: `${abouts().webhookProvider.description}\n\n| provider | header |\n|---|---|\n${HEADERS}`,
  },
}

/** The described facts of each endpoint. */
export const OPERATIONS = Object.fromEntries(
  Object.entries<About>(abouts()).map(([name, about]) => [name, { ...about, ...BESIDE[name as EndpointName] }]),
) as unknown as Readonly<Record<EndpointName, Operation>>
