import { systemClock } from '../../runtime/clock.ts'
import { type AwsService, accessFromEnvironment, errorCodeIn, sendRequest, signedHeaders } from '../aws/client.ts'

/** For connection and answer together, in milliseconds. */
const TIMEOUT_MS = 2000

/** CloudWatch Logs refused an action; the code is the name of its error. */
export class LogsError extends Error {
  override readonly name = 'LogsError'
  readonly code: string

  constructor(target: string, code: string) {
    super(`CloudWatch Logs refused ${target}: ${code}`)
    this.code = code
  }
}

export interface LogsClient {
  /**
   * Asks once, on a connection of its own: what was sent twice would be there twice.
   * @param target the version of the service, a dot, and the action
   * @throws LogsError; Error when it cannot be reached or takes longer than so many milliseconds
   */
  ask(target: string, input: object, timeout?: number): Promise<unknown>
}

export function logsClient(): LogsClient {
  let known: AwsService | undefined
  return {
    async ask(target, input, timeout = TIMEOUT_MS) {
      known ??= accessFromEnvironment('logs', 'CLOUDWATCH_LOGS')
      const { endpoint, region, credentials } = known
      const body = JSON.stringify(input)
      const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': target }
      const scope = { region, service: 'logs', at: systemClock.now() }
      const signed = signedHeaders({ host: endpoint.host, headers, body }, await credentials(), scope)
      const answer = await sendRequest(endpoint, { method: 'POST', headers: signed, body }, { timeout })
      if (answer.status !== 200) throw new LogsError(target, errorCodeIn(answer))
      return answer.body === '' ? {} : JSON.parse(answer.body)
    },
  }
}
