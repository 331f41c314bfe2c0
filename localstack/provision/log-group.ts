import { type LogsClient, LogsError } from '../../lib/adapters/logs/client.ts'
import type { ResourceProvider } from './provider.ts'

/** Makes log groups; how long they keep lines no emulator minds. */
export function logGroupProvider(logs: LogsClient): ResourceProvider {
  return async ({ LogGroupName: name }) => {
    const logGroupName = String(name)
    try {
      await logs.ask('Logs_20140328.CreateLogGroup', { logGroupName })
    } catch (error) {
      if (!(error instanceof LogsError && error.code === 'ResourceAlreadyExistsException')) throw error
    }
    return { Ref: logGroupName, Arn: `arn:aws:logs:::log-group:${logGroupName}:*` }
  }
}
