import { systemClock } from '../../runtime/clock.ts'
import { type AwsService, accessFromEnvironment } from '../aws/access.ts'
import { errorCodeIn } from '../aws/json.ts'
import { sendRequest } from '../aws/request.ts'
import { signedHeaders } from '../aws/signature.ts'

/** For connection and answer together, in milliseconds. */
const TIMEOUT_MS = 2000

/** CloudWatch Logs refused an action; the code is the name of its error. */
export class LogsError extends Error {
  override readonly name = 'LogsError'
  readonly code: string

  constructor(action: string, code: string) {
    super(`CloudWatch Logs refused ${action}: ${code}`)
    this.code = code
  }
}

/**
 * One action of CloudWatch Logs, asked once on a connection of its own: what was sent twice would be there twice.
 * @throws LogsError; Error when it cannot be reached or takes too long
 */
export type AskLogs = (action: string, input: object, timeout?: number) => Promise<unknown>

export function logsClient(): AskLogs {
  let known: AwsService | undefined
  return async (action, input, timeout = TIMEOUT_MS) => {
    known ??= accessFromEnvironment('logs', 'CLOUDWATCH_LOGS')
    const { endpoint, region, credentials } = known
    const body = JSON.stringify(input)
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `Logs_20140328.${action}` }
    const scope = { region, service: 'logs', at: systemClock.now() }
    const signed = signedHeaders({ host: endpoint.host, headers, body }, await credentials(), scope)
    const answer = await sendRequest(endpoint, { method: 'POST', headers: signed, body }, { timeout })
    if (answer.status !== 200) throw new LogsError(action, errorCodeIn(answer))
    return answer.body === '' ? {} : JSON.parse(answer.body)
  }
}
