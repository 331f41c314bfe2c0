import { onMessages } from '../../lib/app/invocations.ts'
import { makeRetries } from '../../lib/app/jobs.ts'

export async function start() {
  const { conclude, retries } = await makeRetries()
  return onMessages(conclude, (body) => retries.receive(body))
}
