import type { Agent } from 'node:http'
import { systemClock } from '../../runtime/clock.ts'
import type { ChangeFeed } from '../../webhooks/live/change-feed.ts'
import { type AwsService, accessFromEnvironment } from '../aws/access.ts'
import { clientFor, sendRequest } from '../aws/request.ts'
import { signedHeaders } from '../aws/signature.ts'

/** How long an answer may be held up by a hint: less than the endpoints' own reserve before their deadline. */
const TIMEOUT_MS = 400

/** Of the API, whose requests are forms and whose answers are XML (Amazon SNS API Reference, "Publish"). */
const VERSION = '2010-03-31'
const HEADERS = { 'content-type': 'application/x-www-form-urlencoded' } as const

/** Sends a message to the subscribers of a topic, once. @throws Error when SNS refuses, or does not answer in time */
export type PublishMessage = (topicArn: string, message: string) => Promise<void>

/**
 * SNS, asked by signed requests on connections that are kept: every webhook makes one, and the SDK would take as long for
 * it as for all that is stored (docs/decisions/0018-signed-hints.md). Endpoint and credentials come from the environment
 * as AWS defines it.
 */
export function snsPublisher(accessOf: () => AwsService = () => accessFromEnvironment('sns')): PublishMessage {
  let access: AwsService | undefined
  let agent: Agent | undefined
  return async (topicArn, message) => {
    access ??= accessOf()
    const { endpoint, region, credentials } = access
    agent ??= new (clientFor(endpoint).Agent)({ keepAlive: true })
    const form = new URLSearchParams({ Action: 'Publish', Version: VERSION, TopicArn: topicArn, Message: message })
    const body = form.toString()
    const scope = { region, service: 'sns', at: systemClock.now() }
    const headers = signedHeaders({ host: endpoint.host, headers: HEADERS, body }, await credentials(), scope)
    const answer = await sendRequest(endpoint, { method: 'POST', headers, body }, { timeout: TIMEOUT_MS, agent })
    if (answer.status !== 200) throw new Error(`SNS answered ${answer.status} ${codeIn(answer.body)}`)
  }
}

/** Publishes each change as JSON. */
export function snsChangeFeed(publishMessage: PublishMessage, topicArn: string): ChangeFeed {
  return { publish: (change) => publishMessage(topicArn, JSON.stringify(change)) }
}

/** The name that an error has in the answer. */
function codeIn(xml: string): string {
  return /<Code>(\w{1,60})<\/Code>/.exec(xml)?.[1] ?? 'without a reason'
}
