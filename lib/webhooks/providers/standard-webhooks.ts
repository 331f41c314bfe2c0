import { retriesFor } from '../provider.ts'
import { standardProvider, standardSample } from '../standard-sender.ts'

/** Standard Webhooks, "Retries": several days, each try with a time of its own. */
export const provider = standardProvider('webhook', retriesFor(72, true))

export const sample = () => standardSample('webhook', ['order.updated', 'order.created', 'user.deleted'])
