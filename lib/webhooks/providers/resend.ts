import { retriesFor } from '../provider.ts'
import { standardProvider, standardSample } from '../standard-sender.ts'

/** resend.com/docs, "Verify Webhooks Requests" and "Retries and Replays": Svix sends them, for 28 hours. */
export const provider = standardProvider('svix', retriesFor(28, true))

export const sample = () => standardSample('svix', ['email.delivered', 'email.bounced', 'email.opened'])
