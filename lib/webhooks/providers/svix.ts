import { retriesFor } from '../provider.ts'
import { standardProvider, standardSample } from '../standard-sender.ts'

/** docs.svix.com, "Retries": 28 hours, each try with a time of its own. */
export const provider = standardProvider('svix', retriesFor(28, true))

export const sample = () => standardSample('svix', ['invoice.paid', 'invoice.created', 'user.updated'])
