import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { fail, invalid, type ServiceError } from '../../../lib/errors.ts'
import { ProcessingError } from '../../../lib/webhooks/apply.ts'
import { logAudit } from '../../../lib/webhooks/audit.ts'
import { createInbox } from '../../../lib/webhooks/inbox.ts'
import type { RetryPolicy } from '../../../lib/webhooks/retry/policy.ts'
import { paymentSource } from '../../../lib/webhooks/sources/payment.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { countingIds } from '../../support/fakes/ids.ts'
import { recordingLog } from '../../support/fakes/log.ts'
import { MemoryStore } from '../../support/fakes/memory-store.ts'
import {
  bodyOf,
  deliveryOf,
  handedOverSource,
  MINUTE,
  PAYMENT,
  POLICY,
  sourceOf,
} from '../../support/fakes/webhooks.ts'

function setUp(policy: RetryPolicy = POLICY) {
  const store = new MemoryStore()
  const clock = fixedClock()
  const log = recordingLog()
  const inbox = createInbox({
    events: store.eventStore,
    queue: store.retryQueue,
    policy,
    clock,
    ids: countingIds(),
    audit: logAudit(log),
    log,
  })
  const accept = (changes: object = {}) => inbox.accept(paymentSource, deliveryOf({ ...PAYMENT, ...changes }))
  const find = (eventId = 'event-1', source = 'payment') => store.find({ source, eventId })
  return { store, clock, log, inbox, accept, find }
}

const STORED_PAYMENT = {
  transactionId: 'transaction-1',
  orderId: 'order-1',
  status: 'COMPLETED',
  amount: '10.5',
  currency: 'EUR',
  customerId: 'customer-1',
}

const broken = () => {
  throw new ProcessingError('a rule was broken')
}

describe('a new event', () => {
  it('is stored as PROCESSED, with its effect, once', async () => {
    const { store, accept, find } = setUp()
    expect(await accept()).toBe('processed')
    expect(find()).toMatchObject({
      id: 1n,
      source: 'payment',
      eventId: 'event-1',
      eventType: 'PAYMENT',
      status: 'PROCESSED',
      receivedAt: START,
      repeatsUntil: new Date(START.getTime() + 24 * 60 * MINUTE),
      processedAt: START,
      attempts: 0,
      dead: false,
      headers: { 'content-type': 'application/json' },
      history: [{ at: START, status: 'PROCESSED', by: 'intake' }],
    })
    expect(find()?.payload.toString()).toBe(JSON.stringify(PAYMENT))
    expect(find()?.payloadSha256).toBe(createHash('sha256').update(JSON.stringify(PAYMENT)).digest('hex'))
    expect(find()?.nextRetryAt).toBeUndefined()
    expect([...store.payments.values()]).toEqual([STORED_PAYMENT])
    expect(store.queue).toEqual([])
  })

  it('is audited in one line without payload or secret', async () => {
    const { log, accept } = setUp()
    await accept()
    expect(log.of('audit')).toEqual([
      { decision: 'processed', source: 'payment', eventId: 'event-1', eventType: 'PAYMENT', outcome: undefined },
    ])
  })

  it('that is invalid stores nothing', async () => {
    const { store, log, accept } = setUp()
    await expect(accept({ currency: '' })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
    expect([store.events.size, store.payments.size, store.queue.length]).toEqual([0, 0, 0])
    expect(log.of('audit')).toEqual([{ decision: 'refused', source: 'payment', reason: 'invalid-payload' }])
  })
})

describe('a known event', () => {
  it('is ignored: nothing is processed, and nothing changes', async () => {
    const { store, log, accept } = setUp()
    await accept()
    const before = [...store.events.values()]
    expect(await accept()).toBe('duplicate')
    expect([...store.events.values()]).toEqual(before)
    expect(log.of('another content under a known event id')).toEqual([])
    expect(log.of('audit').at(-1)).toMatchObject({ decision: 'duplicate', eventId: 'event-1' })
  })

  it('with another body is a duplicate: the first one stays, with a conflict in the log', async () => {
    const { store, log, accept } = setUp()
    await accept()
    expect(await accept({ amount: 99, transactionId: 'transaction-2' })).toBe('duplicate')
    expect([...store.payments.values()]).toEqual([STORED_PAYMENT])
    expect(log.of('another content under a known event id')).toEqual([{ source: 'payment', eventId: 'event-1' }])
  })

  it('is a duplicate also when the stored event is FAILED, which has its own schedule', async () => {
    const { store, accept, find } = setUp()
    await accept()
    await expect(accept({ eventId: 'event-2', currency: 'USD' })).rejects.toMatchObject({ code: 'PROCESSING_FAILED' })
    const failed = find('event-2')
    expect(await accept({ eventId: 'event-2', currency: 'USD' })).toBe('duplicate')
    expect(find('event-2')).toEqual(failed)
    expect(store.queue).toHaveLength(1)
  })
})

describe('an event without an eventId', () => {
  const keyOf = (body: string) => `h:${createHash('sha256').update(body).digest('hex').slice(0, 32)}`

  it.each([undefined, null, ''])('is identified by its content: %j', async (eventId) => {
    const { accept, find } = setUp()
    await accept({ eventId })
    expect(find(keyOf(JSON.stringify({ ...PAYMENT, eventId })))?.status).toBe('PROCESSED')
  })
})

describe('W11 an amount is stored with all of its digits, or is refused', () => {
  const body = (amount: string) => JSON.stringify({ ...PAYMENT, amount: 0 }).replace('"amount":0', `"amount":${amount}`)

  it.each([
    ['10.00', '10.00'],
    ['1e21', '1000000000000000000000'],
    ['12345678901234567890123456789012345.678', '12345678901234567890123456789012345.678'],
  ])('%s is stored as %s', async (amount, stored) => {
    const { store, inbox } = setUp()
    expect(await inbox.accept(paymentSource, deliveryOf(body(amount)))).toBe('processed')
    expect(store.payments.get('transaction-1')?.amount).toBe(stored)
  })

  it.each(['0.009', '-0.01', '"Infinity"', '"1,00"', '1e999999', '9'.repeat(39)])(
    '%s is refused, and nothing stored',
    async (amount) => {
      const { store, inbox } = setUp()
      const delivery = deliveryOf(body(amount))
      await expect(inbox.accept(paymentSource, delivery)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
      expect([store.events.size, store.payments.size]).toEqual([0, 0])
    },
  )
})

describe('an event whose handler throws', () => {
  it('is FAILED with errorMessage and a scheduled retry, and the error is thrown to the caller', async () => {
    const { store, inbox, log, find } = setUp()
    await expect(inbox.accept(sourceOf(broken), deliveryOf('event-1'))).rejects.toMatchObject({
      code: 'PROCESSING_FAILED',
      details: { reason: 'a rule was broken' },
    })
    const due = new Date(START.getTime() + 5 * MINUTE)
    expect(find('event-1', 'test')).toMatchObject({
      status: 'FAILED',
      errorMessage: 'a rule was broken',
      nextRetryAt: due,
      attempts: 0,
      dead: false,
      history: [{ at: START, status: 'FAILED', by: 'intake', error: 'a rule was broken' }],
    })
    expect(find('event-1', 'test')?.processedAt).toBeUndefined()
    expect(store.queue).toEqual([{ hint: { source: 'test', eventId: 'event-1', n: 1 }, delayMs: 5 * MINUTE }])
    expect(log.of('audit')).toEqual([expect.objectContaining({ decision: 'failed', eventId: 'event-1' })])
  })

  it('shows no detail of an internal error', async () => {
    const { inbox, find, log } = setUp()
    const source = sourceOf(() => {
      throw new TypeError('cannot read s3cret')
    })
    await expect(inbox.accept(source, deliveryOf('event-1'))).rejects.toMatchObject({
      details: { reason: 'unexpected error' },
    })
    expect(find('event-1', 'test')?.errorMessage).toBe('unexpected error')
    expect(log.of('webhook handler failed')).toEqual([
      { source: 'test', eventId: 'event-1', cause: new TypeError('cannot read s3cret') },
    ])
  })

  it.each<[string, () => ServiceError, string]>([
    [
      'by a rule of a schema',
      () => invalid([{ path: ['a'], message: 'is required' }]),
      'Validation failed: a is required',
    ],
    ['by another code of the catalog', () => fail('USER_NOT_FOUND'), 'unexpected error'],
  ])('W40 is stored when the handler refuses it %s', async (_, refusal, errorMessage) => {
    const { store, inbox, find } = setUp()
    const source = sourceOf(() => {
      throw refusal()
    })
    await expect(inbox.accept(source, deliveryOf('event-1'))).rejects.toMatchObject({
      code: 'PROCESSING_FAILED',
      details: { reason: errorMessage },
    })
    expect(find('event-1', 'test')).toMatchObject({ status: 'FAILED', errorMessage, dead: false })
    expect(store.queue).toHaveLength(1)
  })

  it('is a duplicate when it comes again, and is not scheduled twice', async () => {
    const { store, inbox } = setUp()
    await inbox.accept(sourceOf(broken), deliveryOf('event-1')).catch(() => undefined)
    expect(await inbox.accept(sourceOf(broken), deliveryOf('event-1'))).toBe('duplicate')
    expect(store.queue).toHaveLength(1)
  })

  it('is FAILED permanently at once when no attempt is allowed', async () => {
    const { store, inbox, find } = setUp({ ...POLICY, maxAttempts: 0 })
    await expect(inbox.accept(sourceOf(broken), deliveryOf('event-1'))).rejects.toMatchObject({
      code: 'PROCESSING_FAILED',
    })
    expect(find('event-1', 'test')).toMatchObject({ status: 'FAILED', dead: true })
    expect(store.queue).toEqual([])
  })

  it('is still stored when the queue is down', async () => {
    const { store, inbox, log, find } = setUp()
    store.isQueueDown = true
    await expect(inbox.accept(sourceOf(broken), deliveryOf('event-1'))).rejects.toMatchObject({
      code: 'PROCESSING_FAILED',
    })
    expect(find('event-1', 'test')).toMatchObject({ status: 'FAILED', nextRetryAt: expect.any(Date) })
    expect(log.entries).toContainEqual(expect.objectContaining({ level: 'warn' }))
  })

  it('does not exist during an outage of the store: nothing is stored', async () => {
    const { store, accept } = setUp()
    store.isStoreDown = true
    await expect(accept()).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect([store.events.size, store.payments.size, store.queue.length]).toEqual([0, 0, 0])
  })
})

describe('deferred work', () => {
  const pushed = () => ({ outcome: 'pushed' })
  const delivery = (id: string, content = 'body') => ({ body: bodyOf(content), headers: { 'x-id': id } })

  it('is stored as RECEIVED and acknowledged, and a hint is sent to run it at once', async () => {
    const { store, inbox, log, find } = setUp()
    expect(await inbox.accept(handedOverSource(pushed), delivery('event-1'))).toBe('received')
    expect(find('event-1', 'test')).toMatchObject({
      status: 'RECEIVED',
      attempts: 0,
      history: [{ at: START, status: 'RECEIVED', by: 'intake' }],
    })
    expect(find('event-1', 'test')).not.toMatchObject({ processedAt: START })
    expect(store.queue).toEqual([{ hint: { source: 'test', eventId: 'event-1', n: 0 }, delayMs: 0 }])
    expect(log.of('audit')).toEqual([expect.objectContaining({ decision: 'received', eventId: 'event-1' })])
  })

  it('is acknowledged when the queue is down: the scan finds it', async () => {
    const { store, inbox, find } = setUp()
    store.isQueueDown = true
    expect(await inbox.accept(handedOverSource(pushed), delivery('event-1'))).toBe('received')
    expect(find('event-1', 'test')?.status).toBe('RECEIVED')
    expect(store.events.values().next().value?.sweepAt).toEqual(START)
  })

  it.each(['RECEIVED', 'PROCESSING'])('ignores its duplicate while it is %s', async (status) => {
    const { store, clock, inbox } = setUp()
    await inbox.accept(handedOverSource(pushed), delivery('event-1'))
    const [{ hint } = { hint: { source: '', eventId: '', n: 0 } }] = store.queue
    const lease = { now: clock.now(), leaseUntil: clock.now(), owner: 'me', maxAttempts: 3 }
    if (status === 'PROCESSING') await store.retryStore.claim({ ...hint, ...lease })
    expect(store.find(hint)?.status).toBe(status)
    expect(await inbox.accept(handedOverSource(pushed), delivery('event-1'))).toBe('duplicate')
    expect(store.queue).toHaveLength(1)
  })
})

describe('a later event with an equal or lower rank', () => {
  it('is PROCESSED with outcome superseded, also in the audit line', async () => {
    const { store, log, accept, find } = setUp()
    await accept({ status: 'REFUNDED' })
    expect(await accept({ eventId: 'event-2', status: 'COMPLETED' })).toBe('processed')
    expect(find('event-2')).toMatchObject({ status: 'PROCESSED', outcome: 'superseded' })
    expect([...store.payments.values()]).toEqual([{ ...STORED_PAYMENT, status: 'REFUNDED' }])
    expect(log.of('audit').at(-1)).toMatchObject({ decision: 'processed', outcome: 'superseded' })
  })
})
