import { retriesFor } from '../provider.ts'
import { standardProvider, standardSample } from '../standard-sender.ts'

/** clerk.com/docs, "Webhooks": Svix sends them, and repeats as for all. */
export const provider = standardProvider('svix', retriesFor(28, true))

export const sample = () => standardSample('svix', ['user.created', 'user.updated', 'session.created'])
