import { onMessages } from '../../lib/app/invocations.ts'
import { makeRetries } from '../../lib/app/jobs.ts'

const { conclude, retries } = makeRetries()

export const handler = onMessages(conclude, (body) => retries.receive(body))
