import { onMessages } from '../../lib/app/invocations.ts'
import { makeRetries } from '../../lib/app/jobs.ts'

export function start() {
  const { conclude, retries } = makeRetries()
  return onMessages(conclude, (body) => retries.receive(body))
}
