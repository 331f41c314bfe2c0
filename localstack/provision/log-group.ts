import { type AskLogs, LogsError } from '../../lib/adapters/logs/client.ts'
import type { ResourceProvider } from './provider.ts'

/** Makes log groups; how long they keep lines no emulator minds. */
export function logGroupProvider(ask: AskLogs): ResourceProvider {
  return async ({ LogGroupName: name }) => {
    const logGroupName = String(name)
    try {
      await ask('CreateLogGroup', { logGroupName })
    } catch (error) {
      if (!(error instanceof LogsError && error.code === 'ResourceAlreadyExistsException')) throw error
    }
    return { Ref: logGroupName, Arn: `arn:aws:logs:::log-group:${logGroupName}:*` }
  }
}
