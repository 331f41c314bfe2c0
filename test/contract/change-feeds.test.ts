import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { snsPublisher } from '../../lib/adapters/aws/sns.ts'
import { snsChangeFeed } from '../../lib/adapters/sns/change-feed.ts'
import type { ChangeFeed, EventChange } from '../../lib/webhooks/live/change-feed.ts'
import { openDataFolder } from '../../localstack/data-folder.ts'
import { startSqs } from '../../localstack/emulators/sqs.ts'
import { MemoryFeed } from '../support/fakes/change-feed.ts'
import { freePort } from '../support/free-port.ts'
import { topicQueue } from '../support/topic-queue.ts'

interface Feed {
  readonly feed: ChangeFeed
  /** What listeners have heard since the last call. */
  heard(): Promise<readonly string[]>
  stop(): Promise<void>
}

async function fake(): Promise<Feed> {
  const feed = new MemoryFeed()
  return {
    feed,
    heard: async () => feed.published.splice(0).map((change) => JSON.stringify(change)),
    stop: async () => {},
  }
}

async function emulated(): Promise<Feed> {
  const port = await freePort()
  const data = openDataFolder('memory')
  const part = await startSqs(port, 'eu-central-1', data)
  const endpoint = `http://127.0.0.1:${port}`
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SNS: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  })
  const listener = await topicQueue(endpoint, 'events')
  return {
    feed: snsChangeFeed(snsPublisher(), listener.topicArn),
    heard: () => listener.receive(1),
    async stop() {
      await part.stop()
      data.close()
    },
  }
}

const CHANGE: EventChange = {
  changeId: '3804000000000000321',
  id: '3804000000000000123',
  source: 'payment',
  eventId: 'é "1"\u2028',
  eventType: 'PAYMENT',
  status: 'PROCESSED',
  receivedAt: '2026-01-02T03:04:05.678',
}

describe.each([
  ['the fake', fake],
  ['SNS with a queue', emulated],
])('a change feed: %s', (_, start) => {
  let subject: Feed
  beforeAll(async () => {
    subject = await start()
  })
  afterAll(() => subject.stop())

  it('delivers a change to a listener as it was published', async () => {
    await subject.feed.publish(CHANGE)
    expect((await subject.heard()).map((message) => JSON.parse(message))).toEqual([CHANGE])
  })

  it('delivers each change once', async () => {
    await Promise.all(['1', '2', '3'].map((id) => subject.feed.publish({ ...CHANGE, id })))
    const heard = await subject.heard()
    expect(heard.map((message) => JSON.parse(message).id).toSorted()).toEqual(['1', '2', '3'])
  })
})
