import * as z from 'zod/mini'
import type { TrailSink } from '../../trail/trail.ts'
import { type AskLogs, LogsError } from './client.ts'

/** Of lines that are too old or too new CloudWatch Logs tells no error (API reference, "RejectedLogEventsInfo"). */
const answered = z.object({ rejectedLogEventsInfo: z.optional(z.unknown()) })

/** A log group with a stream for each chain. */
export function logsTrailSink(ask: AskLogs, logGroupName: string): TrailSink {
  return {
    async begin(logStreamName) {
      await ask('CreateLogStream', { logGroupName, logStreamName })
    },
    async append(logStreamName, lines) {
      const logEvents = lines.map(({ text, at }) => ({ timestamp: at.getTime(), message: text }))
      const answer = z.parse(answered, await ask('PutLogEvents', { logGroupName, logStreamName, logEvents }))
      if (answer.rejectedLogEventsInfo) throw new LogsError('PutLogEvents', 'RejectedLogEvents')
    },
  }
}
