import { randomUUID } from 'node:crypto'
import { CreateTopicCommand, ListSubscriptionsCommand, PublishCommand, SNSClient } from '@aws-sdk/client-sns'
import { ListQueuesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { engineClients, type FanOutClients, type Topics } from '../../lib/adapters/fan-out/engine.ts'
import { createFanOut, type FanOut } from '../../lib/adapters/fan-out/fan-out.ts'
import type { Ids } from '../../lib/runtime/ids.ts'
import type { BusMessage } from '../../lib/stomp/bus.ts'
import type { Announcement } from '../../lib/webhooks/live/announcement.ts'
import type { DeadDelivery } from '../../lib/webhooks/live/dead-delivery.ts'
import { openDataFolder } from '../../localstack/data-folder.ts'
import { startSqs } from '../../localstack/emulators/sqs.ts'
import { type RecordingLog, recordingLog } from './fakes/log.ts'
import { type VirtualTime, virtualTime } from './fakes/timers.ts'
import { freePort } from './free-port.ts'

const REGION = 'eu-central-1'

const STAGE = 'test'

export const TOPICS: Topics = {
  events: `arn:aws:sns:${REGION}:000000000000:events`,
  messages: `arn:aws:sns:${REGION}:000000000000:messages`,
}

export const DEATH: DeadDelivery = {
  kind: 'delivery',
  source: 'payment',
  eventId: 'é "1"\u2028',
  destination: 'crm',
  status: 'DEAD',
  answer: 'HTTP 503',
  at: '2026-01-02T03:04:05.678',
}

/** An engine in memory that can go away and come back with nothing that it had. */
export interface EmulatedEngine {
  readonly topics: Topics
  start(): Promise<void>
  makeTopics(): Promise<void>
  stop(): Promise<void>
  /** Publishes a text to the topic of the events. */
  publish(text: string): Promise<void>
  queueNames(): Promise<readonly string[]>
  /** How many subscriptions there are. */
  subscriptions(): Promise<number>
}

export async function emulatedEngine(): Promise<EmulatedEngine> {
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const sns = new SNSClient({ endpoint, region: REGION, credentials })
  const sqs = new SQSClient({ endpoint, region: REGION, credentials, useQueueUrlAsEndpoint: false })
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SNS: endpoint,
    AWS_ENDPOINT_URL_SQS: endpoint,
    AWS_REGION: REGION,
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  })
  let stop = async () => {}
  return {
    topics: TOPICS,
    async start() {
      const data = openDataFolder('memory')
      const part = await startSqs(port, REGION, data)
      stop = async () => {
        await part.stop()
        data.close()
      }
    },
    async makeTopics() {
      for (const name of ['events', 'messages']) await sns.send(new CreateTopicCommand({ Name: name }))
    },
    stop: () => stop(),
    async publish(text) {
      await sns.send(new PublishCommand({ TopicArn: TOPICS.events, Message: text }))
    },
    async queueNames() {
      const { QueueUrls: urls = [] } = await sqs.send(new ListQueuesCommand({}))
      return urls.map((url) => url.slice(url.lastIndexOf('/') + 1))
    },
    async subscriptions() {
      const { Subscriptions: subscriptions = [] } = await sns.send(new ListSubscriptionsCommand({}))
      return subscriptions.length
    },
  }
}

export interface Instance {
  readonly fanOut: FanOut
  readonly time: VirtualTime
  readonly log: RecordingLog
  readonly messages: readonly BusMessage[]
  readonly announced: readonly Announcement[]
  /** Ends it as SIGKILL does: no call of it gets through any more, and none gets an answer. */
  kill(): void
}

/** What one process has of the fan-out. Its clock and timers stand still until they are told to go on. */
export function fanOutInstance(topics: Topics): Instance {
  const engine = { ...engineClients(), topics, stage: STAGE }
  const kill = severable(engine)
  const time = virtualTime()
  const log = recordingLog()
  const ids: Ids = { ordered: () => 0n, unique: randomUUID }
  const fanOut = createFanOut({ engine, clock: time.clock, timers: time.timers, ids, random: () => 0.5, log })
  const messages: BusMessage[] = []
  const announced: Announcement[] = []
  fanOut.bus.attach((message) => messages.push(message))
  fanOut.onAnnouncement((announcement) => announced.push(announcement))
  return { fanOut, time, log, messages, announced, kill }
}

function severable({ sns, sqs }: FanOutClients): () => void {
  let isDead = false
  const silence = new Promise<never>(() => {})
  const ifAlive = <I, O>(next: (input: I) => Promise<O>): typeof next => {
    return async (input) => {
      if (isDead) await silence
      try {
        return await next(input)
      } finally {
        if (isDead) await silence
      }
    }
  }
  sns.middlewareStack.add(ifAlive, { step: 'deserialize' })
  sqs.middlewareStack.add(ifAlive, { step: 'deserialize' })
  return () => {
    isDead = true
    sns.destroy()
    sqs.destroy()
  }
}
