import type { Agent } from 'node:http'
import { systemClock } from '../../runtime/clock.ts'
import type { AsciiJson } from '../../runtime/message-text.ts'
import { type AwsService, accessFromEnvironment, clientFor, sendRequest, signedHeaders } from './client.ts'

/** How long an answer may be held up by a hint: less than the endpoints' own reserve before their deadline. */
const TIMEOUT_MS = 400

/** Of the API, whose requests are forms and whose answers are XML (Amazon SNS API Reference, "Publish"). */
const VERSION = '2010-03-31'
const HEADERS = { 'content-type': 'application/x-www-form-urlencoded' } as const

/**
 * Sends a message to the subscribers of a topic, once.
 * @param attributes texts by name, for the filters of subscriptions
 * @throws Error when SNS refuses, or does not answer in time
 */
export type PublishMessage = (
  topicArn: string,
  message: AsciiJson,
  attributes?: Readonly<Record<string, string>>,
) => Promise<void>

/**
 * SNS, asked by signed requests on connections that are kept: every webhook makes one, and the SDK would take as long for
 * it as for all that is stored (docs/decisions/0018-signed-hints.md). Endpoint and credentials come from the environment
 * as AWS defines it.
 * @param timeout in milliseconds
 */
export function snsPublisher(
  timeout = TIMEOUT_MS,
  accessOf: () => AwsService = () => accessFromEnvironment('sns', 'SNS'),
): PublishMessage {
  let access: AwsService | undefined
  let agent: Agent | undefined
  return async (topicArn, message, attributes = {}) => {
    access ??= accessOf()
    const { endpoint, region, credentials } = access
    agent ??= new (clientFor(endpoint).Agent)({ keepAlive: true })
    const form = { Action: 'Publish', Version: VERSION, TopicArn: topicArn, Message: message, ...fieldsOf(attributes) }
    const body = new URLSearchParams(form).toString()
    const scope = { region, service: 'sns', at: systemClock.now() }
    const headers = signedHeaders({ host: endpoint.host, headers: HEADERS, body }, await credentials(), scope)
    const answer = await sendRequest(endpoint, { method: 'POST', headers, body }, { timeout, agent })
    if (answer.status !== 200) throw new Error(`SNS answered ${answer.status} ${codeIn(answer.body)}`)
  }
}

function fieldsOf(attributes: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const fields = Object.entries(attributes).flatMap(([name, value], index) => {
    const entry = `MessageAttributes.entry.${index + 1}`
    return [
      [`${entry}.Name`, name],
      [`${entry}.Value.DataType`, 'String'],
      [`${entry}.Value.StringValue`, value],
    ]
  })
  return Object.fromEntries(fields)
}

/** The name that an error has in the answer. */
function codeIn(xml: string): string {
  return /<Code>(\w{1,60})<\/Code>/.exec(xml)?.[1] ?? 'without a reason'
}
