import { Readable } from 'node:stream'
import { SQSClient } from '@aws-sdk/client-sqs'
import { describe, expect, it } from 'vitest'
import { bytesIn, createRetryBudget, retriesWithin, withoutLog } from '../../../../lib/adapters/aws/sdk.ts'

const CAPACITY = 10

describe('a budget for retries', () => {
  it('grows by one with ten successful tries, and never beyond its start', () => {
    const budget = createRetryBudget()
    for (let count = 0; count < 1000; count++) budget.earn()
    for (let count = 0; count < CAPACITY; count++) budget.spend()
    for (let count = 0; count < 9; count++) budget.earn()
    expect(budget.spend()).toBe(false)
    budget.earn()
    budget.earn()
    expect([budget.spend(), budget.spend()]).toEqual([true, false])
  })
})

describe('an AWS client retries', () => {
  const passing = { errorType: 'TRANSIENT' }

  it('after a temporary error, up to its number of tries, after a longer pause each time', async () => {
    const retries = retriesWithin(createRetryBudget(), 3)
    const first = await retries.acquireInitialRetryToken()
    expect([first.getRetryCount(), first.getRetryDelay()]).toEqual([0, 0])
    const second = await retries.refreshRetryTokenForRetry(first, passing)
    const third = await retries.refreshRetryTokenForRetry(second, { errorType: 'THROTTLING' })
    expect([second.getRetryCount(), third.getRetryCount()]).toEqual([1, 2])
    expect(second.getRetryDelay()).toBeLessThanOrEqual(50)
    expect(third.getRetryDelay()).toBeLessThanOrEqual(100)
    await expect(retries.refreshRetryTokenForRetry(third, passing)).rejects.toThrow('no other try')
  })

  it.each(['CLIENT_ERROR', 'SERVER_ERROR'])('but not after a %s, which costs nothing', async (errorType) => {
    const budget = createRetryBudget()
    const retries = retriesWithin(budget, 3)
    const first = await retries.acquireInitialRetryToken()
    for (let count = 0; count < 2 * CAPACITY; count++) {
      await expect(retries.refreshRetryTokenForRetry(first, { errorType })).rejects.toThrow('no other try')
    }
    expect(budget.spend()).toBe(true)
  })

  it('and not after the budget is used up, until enough calls have succeeded', async () => {
    const retries = retriesWithin(createRetryBudget(), 2)
    const again = async () => retries.refreshRetryTokenForRetry(await retries.acquireInitialRetryToken(), passing)
    for (let count = 0; count < CAPACITY; count++) await again()
    await expect(again()).rejects.toThrow('no other try')
    for (let count = 0; count < 11; count++) retries.recordSuccess()
    expect((await again()).getRetryCount()).toBe(1)
  })
})

it('the bytes of an answer are all of its chunks in order', async () => {
  await expect(bytesIn(Readable.from([Buffer.from('a'), Buffer.from('bc')]))).resolves.toEqual(Buffer.from('abc'))
})

it('an incomplete answer is an error', async () => {
  const broken = new Error('aborted')
  const answer = new Readable({ read: () => undefined })
  answer.push('half of')
  const bytes = bytesIn(answer)
  answer.destroy(broken)
  await expect(bytes).rejects.toBe(broken)
})

it('an AWS client has the step that writes a log, until it is taken out', () => {
  const client = new SQSClient({ region: 'eu-central-1' })
  const hasLog = () => client.middlewareStack.identify().some((step) => step.startsWith('loggerMiddleware'))
  expect([hasLog(), withoutLog(client) === client, hasLog()]).toEqual([true, true, false])
})
