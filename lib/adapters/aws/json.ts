import type { Agent } from 'node:http'
import { unavailable } from '../../errors.ts'
import { systemClock } from '../../runtime/clock.ts'
import { asciiJson } from '../../runtime/message-text.ts'
import { type AwsService, accessFromEnvironment } from './access.ts'
import { type AwsResponse, clientFor, DeadConnection, sendRequest } from './request.ts'
import { type AwsCredentials, signedHeaders } from './signature.ts'

/** A service whose requests and answers are JSON. */
export interface JsonService {
  /** As it is in addresses and signatures. */
  readonly name: string
  /** As it is in the names of settings; by default the name in capitals. */
  readonly settingName?: string
  readonly contentType: 'application/x-amz-json-1.0' | 'application/x-amz-json-1.1'
  /** Where it is, if not in the region of this function. */
  readonly region?: string | undefined
}

export interface JsonClient {
  readonly endpoint: () => URL
  /**
   * Asks once.
   * @param target the version of the service, a dot, and the action
   * @throws ServiceError `UNAVAILABLE` without credentials, Error when the service cannot be reached or takes longer than so many milliseconds
   */
  ask(target: string, input: object, timeout: number): Promise<AwsResponse>
}

/** Signed requests on connections that are kept (docs/decisions/0018-signed-hints.md). */
export function jsonClient({ name, settingName, contentType, region }: JsonService): JsonClient {
  let known: AwsService | undefined
  let agent: Agent | undefined

  function access(): AwsService {
    known ??= accessFromEnvironment(name, settingName, region)
    return known
  }

  return {
    endpoint: () => access().endpoint,
    async ask(target, input, timeout) {
      const { endpoint, region, credentials } = access()
      agent ??= new (clientFor(endpoint).Agent)({ keepAlive: true })
      const body = asciiJson(input)
      const headers = signedHeaders(
        { host: endpoint.host, headers: { 'content-type': contentType, 'x-amz-target': target }, body },
        await given(credentials),
        { region, service: name, at: systemClock.now() },
      )
      const request = { method: 'POST', headers, body } as const
      try {
        return await sendRequest(endpoint, request, { timeout, agent })
      } catch (error) {
        if (!(error instanceof DeadConnection)) throw error
        return sendRequest(endpoint, request, { timeout })
      }
    },
  }
}

/** @throws ServiceError `UNAVAILABLE` */
async function given(credentials: AwsService['credentials']): Promise<AwsCredentials> {
  try {
    return await credentials()
  } catch (error) {
    throw unavailable(error)
  }
}

/** The errors of SQS and EventBridge about a message whose text or size they never take, with any way to write them. */
const NEVER_TAKEN = /^(?:InvalidMessageContents|BatchRequestTooLong|MessageTooLong|MalformedDetail|HTTP 413)$/

/** Errors about any argument, which name the size in their message (Amazon SQS API Reference, SendMessage). */
const ANY_ARGUMENT = /^(?:InvalidParameterValue|ValidationException|InvalidArgument)/
const SIZE = /must be shorter|too (?:long|large)|size|exceeds/i

/**
 * Whether an error says that its service never takes this message, in contrast to one that another time or another right
 * may change.
 * @param said the message of the error
 */
export function isNeverTaken(code: string, said: string): boolean {
  return NEVER_TAKEN.test(code) || (ANY_ARGUMENT.test(code) && SIZE.test(said))
}

/** The name that an error has in an answer (Smithy, "AWS JSON 1.0 protocol", operation error serialization). */
export function errorCodeIn({ status, body }: AwsResponse): string {
  const [, code] = /"(?:__type|code)"\s*:\s*"(?:[\w.]{1,100}#)?(\w{1,60})"/.exec(body.slice(0, 2000)) ?? []
  return code ?? `HTTP ${status}`
}
