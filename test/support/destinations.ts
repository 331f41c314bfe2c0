import type { DestinationConfig, HandlerConfig } from '../../lib/config.ts'
import { destinationsOf } from '../../lib/deliver/configured/destinations.ts'
import { checkedConfig } from '../../lib/deliver/configured/read.ts'

const from = { '*': ['**'] }

/** One destination of each kind. */
export const EACH_KIND = {
  'crm-eu': { to: 'http', url: 'https://crm.example.com/hooks', from, concurrency: 7, timeoutSeconds: 50 },
  ledger: { to: 'sqs', queue: 'arn:aws:sqs:eu-central-1:123456789012:LedgerQueue.fifo', group: 'data.account', from },
  bus: { to: 'eventbridge', bus: 'arn:aws:events:eu-central-1:123456789012:event-bus/orders', from },
} as const satisfies Readonly<Record<string, DestinationConfig>>

/** The destinations of a configuration as they are in production. */
export function destinationsIn(destinations: Readonly<Record<string, DestinationConfig>>) {
  return destinationsOf(checkedConfig({ destinations }), 'prod')
}

/** A handler as it is in production. */
export function handlerIn(settings: HandlerConfig) {
  const found = [{ path: 'shop/order-paid', on: ['orders/paid'] }]
  const sources = { shop: { proof: { kind: 'basic' } } }
  return destinationsOf(checkedConfig({ sources, handlers: { 'shop/order-paid': settings } }, 'prod', found), 'prod')
}
