import * as z from 'zod/mini'
import type { TrailSink } from '../../trail/trail.ts'
import { type LogsClient, LogsError } from './client.ts'

/**
 * CloudWatch Logs reports too old and too new lines here, without an error (API reference, "RejectedLogEventsInfo").
 */
const answered = z.object({ rejectedLogEventsInfo: z.optional(z.unknown()) })

/** A log group with a stream for each chain. */
export function logsTrailSink(logs: LogsClient, logGroupName: string): TrailSink {
  return {
    async begin(logStreamName) {
      await logs.ask('Logs_20140328.CreateLogStream', { logGroupName, logStreamName })
    },
    async append(logStreamName, lines) {
      const logEvents = lines.map(({ text, at }) => ({ timestamp: at.getTime(), message: text }))
      const answer = z.parse(
        answered,
        await logs.ask('Logs_20140328.PutLogEvents', { logGroupName, logStreamName, logEvents }),
      )
      if (answer.rejectedLogEventsInfo) throw new LogsError('PutLogEvents', 'RejectedLogEvents')
    },
  }
}
