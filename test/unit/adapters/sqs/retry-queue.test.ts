import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, it } from 'vitest'
import { sqsReplayQueue, sqsRetryQueue } from '../../../../lib/adapters/sqs/retry-queue.ts'
import { readReplayHint } from '../../../../lib/webhooks/operators/replay-job.ts'
import { readHint } from '../../../../lib/webhooks/retry/worker.ts'

const client = new SQSClient({ region: 'local' })
const mock = mockClient(client)
const queue = sqsRetryQueue(client, 'http://localhost/queue')
const HINT = { source: 'payment', eventId: 'é/1', n: 2 }

beforeEach(() => {
  mock.reset()
})

function sent() {
  const [call] = mock.commandCalls(SendMessageCommand)
  return call?.args[0].input
}

describe('the retry queue', () => {
  it('carries readable hints', async () => {
    mock.on(SendMessageCommand).resolves({})
    await queue.send(HINT, 0)
    expect(sent()?.QueueUrl).toBe('http://localhost/queue')
    expect(readHint(sent()?.MessageBody ?? '')).toEqual(HINT)
  })

  it.each([
    [-1000, 0],
    [1001, 2],
    [900_001, 900],
  ])('delays %i ms by %i whole seconds, in hops of at most 900', async (delayMs, seconds) => {
    mock.on(SendMessageCommand).resolves({})
    await queue.send(HINT, delayMs)
    expect(sent()?.DelaySeconds).toBe(seconds)
  })

  it('is UNAVAILABLE when it is down', async () => {
    const error = new Error('connect ECONNREFUSED')
    mock.on(SendMessageCommand).rejects(error)
    await expect(queue.send(HINT, 0)).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: error })
  })
})

it('the replay queue carries readable hints', async () => {
  mock.on(SendMessageCommand).resolves({})
  const hint = { replayId: 'r-1', step: 3 }
  await sqsReplayQueue(client, 'http://localhost/replays').send(hint, 4500)
  expect(sent()).toMatchObject({ QueueUrl: 'http://localhost/replays', DelaySeconds: 5 })
  expect(readReplayHint(sent()?.MessageBody ?? '')).toEqual(hint)
})
