import { onMessages } from '../../lib/app/invocations.ts'
import { makeReplayJob } from '../../lib/app/jobs.ts'

const { conclude, job } = makeReplayJob()

export const handler = onMessages(conclude, (body, deadline) => job.receive(body, deadline))
