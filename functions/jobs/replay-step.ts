import { onMessages } from '../../lib/app/invocations.ts'
import { makeReplayJob } from '../../lib/app/jobs.ts'

export async function start() {
  const { conclude, job } = await makeReplayJob()
  return onMessages(conclude, (body, deadline) => job.receive(body, deadline))
}
