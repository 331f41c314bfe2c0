import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { dynamoRateCounter } from '../../lib/adapters/dynamodb/rate-counter.ts'
import type { RateCounter } from '../../lib/webhooks/rate/limiter.ts'
import { constantAws } from './cold/constant-aws.ts'

const LATER = new Date('2026-01-01T00:02:00Z')

let aws: Awaited<ReturnType<typeof constantAws>>
let counter: RateCounter

beforeAll(async () => {
  aws = await constantAws()
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
  const client = new DynamoDBClient({ endpoint: aws.url, region: 'eu-central-1', credentials })
  counter = dynamoRateCounter(DynamoDBDocumentClient.from(client), 'counters')
})

afterAll(() => aws.stop())

it('a caller in its first minute receives the number of calls that it took', async () => {
  const wanted = { minute: 7, before: 0, count: 11, spare: 2, maximumTaken: 89, maximumSpare: 4 }
  expect(await counter.take('a', wanted, LATER)).toEqual({
    kind: 'written',
    tally: { minute: 7, before: 0, taken: 11, spare: 2 },
  })
})

it('a caller that enters the next minute receives its new tally', async () => {
  const seen = { minute: 7, before: 0, taken: 11, spare: 2 }
  const next = { minute: 8, before: 11, taken: 5, spare: 1 }
  expect(await counter.rollOver('a', seen, next, LATER)).toEqual({ kind: 'written', tally: next })
})

it('a connection is kept for a process that takes minutes to start', async () => {
  const { headers } = await fetch(aws.url, { method: 'POST', body: '{}' })
  expect(headers.get('keep-alive')).toBe('timeout=3600')
})
