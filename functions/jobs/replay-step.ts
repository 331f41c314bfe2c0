import { onMessages } from '../../lib/app/invocations.ts'
import { makeReplayJob } from '../../lib/app/jobs.ts'

export function start() {
  const { conclude, job } = makeReplayJob()
  return onMessages(conclude, (body, deadline) => job.receive(body, deadline))
}
