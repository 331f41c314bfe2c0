import { describe, expect, it } from 'vitest'
import { disabled, enabled, type Health } from '../../../lib/deliver/breaker.ts'
import type { DeliveryAnswer } from '../../../lib/deliver/carrier.ts'
import { carriedOf } from '../../../lib/deliver/delivery.ts'
import { unavailable } from '../../../lib/errors.ts'
import { asciiJson } from '../../../lib/runtime/message-text.ts'
import { toLocalDateTime } from '../../../lib/runtime/time.ts'
import { correlated, correlation, eventTraceId } from '../../../lib/runtime/trace.ts'
import { START } from '../../support/fakes/clock.ts'
import { CRM, deliveryWorker, EVENT, HINT, KEY, refused } from '../../support/fakes/deliveries.ts'

const at = (milliseconds: number) => new Date(START.getTime() + milliseconds)
const OUTAGE = unavailable(new Error('the secrets cannot be read'))
const MINUTE = 60_000
const LEASE = 40_000

const open = (present: Health): Health => ({ ...present, state: 'OPEN', since: at(0), probeAt: at(MINUTE) })

describe('a delivery', () => {
  it('is sent once, and the answer is stored', async () => {
    const { attempt, row, carried, metrics } = deliveryWorker()
    expect(await attempt(HINT)).toBe('delivered')
    expect(row()).toMatchObject({ status: 'DELIVERED', attempts: 1, answer: 'HTTP 204', deliveredAt: at(0) })
    expect(carried).toMatchObject([{ attempt: 1, at: at(0) }])
    expect(metrics.counted).toEqual([['Delivered', { destination: 'crm' }]])
    expect(await attempt(HINT)).toBe('dropped')
    expect(carried).toHaveLength(1)
  })

  it.each([
    [5 * MINUTE, ['Delivered']],
    [5 * MINUTE + 1, ['Delivered', 'DeliveredLate']],
  ])('is late when it arrives more than five minutes after its event: %i', async (later, counted) => {
    const { attempt, clock, metrics } = deliveryWorker()
    clock.advance(later)
    await attempt(HINT)
    expect(metrics.counted.map(([name]) => name)).toEqual(counted)
  })

  it('is late by the time since it was ordered again', async () => {
    const { attempt, memory, clock, metrics } = deliveryWorker([refused({ received: { status: 400 } })])
    await attempt(HINT)
    clock.advance(60 * MINUTE)
    await memory.desk.order(KEY, { at: clock.now(), user: 'admin' })
    await attempt(HINT)
    expect(metrics.counted.map(([name]) => name)).not.toContain('DeliveredLate')
  })

  it('keeps of each try its number, its replay, its time, its address and its answer', async () => {
    const received = {
      status: 503,
      headers: { server: 'a' },
      body: { text: 'no', encoding: 'utf8', isWhole: true },
    } as const
    const worker = deliveryWorker([refused({ received }), { kind: 'delivered', answer: 'HTTP 204', reason: 'why' }])
    worker.faults.carrying = async () => worker.clock.advance(250)
    await worker.attempt(HINT)
    await worker.memory.desk.order(KEY, { at: worker.clock.now(), user: 'admin', replayId: 'r' })
    await worker.attempt(HINT)
    const tried = { attempt: 1, ms: 250, url: 'crm.example.com' }
    expect(worker.row()?.history).toMatchObject([
      { ...tried, at: at(250), status: 'PENDING', answer: 'HTTP 503', replayId: undefined, received },
      { at: at(250), user: 'admin' },
      { ...tried, at: at(500), status: 'DELIVERED', answer: 'HTTP 204', replayId: 'r', reason: 'why' },
    ])
  })

  it.each<[string, DeliveryAnswer, boolean]>([
    ['was a success', { kind: 'delivered', answer: 'HTTP 200' }, true],
    ['had no answer', refused({ answer: 'timed out' }), true],
    ['was refused', refused({ received: { status: 403 } }), false],
  ])('that is ordered again says whether the last try may have arrived: it %s', async (_, first, isSent) => {
    const { attempt, memory, carried, clock } = deliveryWorker([first])
    await attempt(HINT)
    clock.advance(10_000)
    await memory.desk.order(KEY, { at: clock.now(), user: 'admin' })
    await attempt(HINT)
    expect(carried.map(({ sentAt }) => sentAt)).toEqual([undefined, isSent ? at(0) : undefined])
  })

  it('is counted if it has no group in a FIFO queue that has one for each', async () => {
    const { attempt, metrics } = deliveryWorker([{ kind: 'delivered', answer: 'HTTP 200', isUngrouped: true }])
    expect(await attempt(HINT)).toBe('delivered')
    expect(metrics.counted).toEqual([
      ['GroupMissing', { destination: 'crm' }],
      ['Delivered', { destination: 'crm' }],
    ])
  })

  it('names the event’s trace in each try, under a separate span that its log lines share', async () => {
    const { receive, carried, clock } = deliveryWorker([refused()])
    const spans: unknown[] = []
    for (const n of [0, 1]) {
      await correlated({ messageId: `m-${n}` }, async () => {
        await receive(JSON.stringify({ ...HINT, n }))
        spans.push(correlation())
      })
      clock.advance(5000)
    }
    const traceId = eventTraceId(KEY)
    const told = carried.map(({ traceparent }) => traceparent.split('-'))
    expect(told.map(([, trace]) => trace)).toEqual([traceId, traceId])
    expect(new Set(told.map(([, , span]) => span)).size).toBe(2)
    const { source, eventId } = KEY
    const linesOf = (n: number) => ({ messageId: `m-${n}`, source, eventId, traceId, spanId: told[n]?.[2] })
    expect(spans).toEqual([linesOf(0), linesOf(1)])
  })

  it('that fails is due after the first pause, and a hint arrives then', async () => {
    const { attempt, row, sent, metrics } = deliveryWorker([refused()])
    expect(await attempt(HINT)).toBe('failed')
    expect(row()).toMatchObject({ status: 'PENDING', attempts: 1, answer: 'HTTP 503', dueAt: at(5000) })
    expect(sent).toEqual([{ ...KEY, n: 1, delayMs: 5000 }])
    expect(metrics.counted).toEqual([['DeliveryFailed', { destination: 'crm' }]])
  })

  it('passes through its schedule and is dead at the end of its time', async () => {
    const worker = deliveryWorker(Array.from({ length: 60 }, () => refused()))
    const pauses: number[] = []
    for (let n = 0; worker.row()?.status !== 'DEAD'; n++) {
      const before = worker.clock.now().getTime()
      // The circuit would open on the way.
      await worker.memory.healthStore.change('crm', (present) => enabled(present, { at: at(0), user: 'admin' }))
      worker.clock.advance(6000)
      await worker.attempt({ ...HINT, n })
      const due = worker.row()?.dueAt?.getTime() ?? before
      pauses.push(due - before)
      worker.clock.advance(Math.max(0, due - worker.clock.now().getTime()))
    }
    const lived = worker.clock.now().getTime() - START.getTime()
    expect(lived).toBeLessThanOrEqual(CRM.giveUpAfter)
    expect(worker.row()).toMatchObject({ status: 'DEAD', dueAt: undefined, answer: 'HTTP 503' })
    expect(worker.row()?.history).toHaveLength(20)
    expect(worker.metrics.counted.at(-1)).toEqual(['DeadDeliveries', { destination: 'crm' }])
    const died = toLocalDateTime(worker.clock.now())
    expect(worker.deaths.told).toEqual([{ kind: 'delivery', ...KEY, status: 'DEAD', answer: 'HTTP 503', at: died }])
  })

  it('whose message is refused for good is dead at once, is counted, and is no failure of its destination', async () => {
    const answer = { kind: 'failed', answer: 'InvalidMessageContents', isRefused: true } as const
    const { attempt, row, metrics, memory, sent } = deliveryWorker([answer])
    expect(await attempt(HINT)).toBe('dead')
    expect(row()).toMatchObject({ status: 'DEAD', attempts: 1, answer: 'InvalidMessageContents', dueAt: undefined })
    expect(metrics.counted).toEqual([
      ['MessageRefused', {}],
      ['DeadDeliveries', { destination: 'crm' }],
    ])
    expect(memory.health.get('crm')).toBeUndefined()
    expect(sent).toEqual([])
  })

  it('whose hint cannot be sent is found by the scan', async () => {
    const { attempt, faults, log, row } = deliveryWorker([refused()])
    faults.queue = true
    expect(await attempt(HINT)).toBe('failed')
    expect(row()?.status).toBe('PENDING')
    expect(log.of('hint not sent, the scan will find the row')).toHaveLength(1)
  })

  it('that is due after more than fifteen minutes gets no hint: the scan finds it', async () => {
    const { attempt, sent, row } = deliveryWorker([refused({ retryAfter: 3_600_000 })])
    expect(await attempt(HINT)).toBe('failed')
    expect(row()?.dueAt).toEqual(at(3_600_000))
    expect(sent).toEqual([])
  })

  const proof = { level: 'full', typeSigned: true, idSigned: true, key: 'k', signedAt: at(-1) } as const
  const CARRIED = { ...HINT, carried: carriedOf({ ...EVENT, proof, possibleDuplicateOf: 'é-0', repeatsUntil: at(9) }) }

  it('whose hint carries the event is sent as if it had been read, and carries it on', async () => {
    const { receive, carried, faults, clock, sent } = deliveryWorker([refused()])
    faults.isEventGone = true
    expect(await receive(asciiJson(CARRIED))).toBe('failed')
    clock.advance(5000)
    const [{ delayMs: _, ...next } = { ...HINT, delayMs: 0 }] = sent
    expect(next).toEqual({ ...CARRIED, n: 1 })
    expect(await receive(asciiJson(next))).toBe('delivered')
    const { id, source, eventId, eventType, receivedAt, headers, payload } = EVENT
    const marks = { proof, possibleDuplicateOf: 'é-0', repeatsUntil: at(9) }
    const event = { id, source, eventId, eventType, receivedAt, headers, payload, ...marks }
    expect(carried.map(({ event }) => event)).toEqual([event, event])
  })

  it.each<[string, Parameters<typeof carriedOf>[0], boolean]>([
    ['of another event under its key', { ...EVENT, id: 8n }, false],
    ['of a delivery that was ordered again', EVENT, true],
  ])('reads the event although the hint carries one %s', async (_name, event, isOrdered) => {
    const { receive, carried, faults, memory, row } = deliveryWorker()
    if (isOrdered) await memory.desk.order(KEY, { at: at(0), user: 'admin' })
    faults.isPayloadDeleted = true
    expect(await receive(asciiJson({ ...HINT, carried: carriedOf(event) }))).toBe('dead')
    expect([carried, row()?.answer]).toEqual([[], 'the payload was deleted'])
  })

  it.each([
    ['no rate', {}, []],
    ['the lowest rate', { concurrency: 1000, ratePerSecond: 500 }, [2000]],
    ['ten a second, five at once', { ratePerSecond: 10 }, [500]],
  ])('takes at least so long that all at once keep within the rate: %s', async (_name, changes, waits) => {
    const waited: number[] = []
    const { attempt } = deliveryWorker([], { ...CRM, ...changes }, async (milliseconds) => waited.push(milliseconds))
    expect(await attempt(HINT)).toBe('delivered')
    expect(waited).toEqual(waits)
  })

  it.each([
    ['deleted event', { isEventGone: true }, 'the event is gone'],
    ['event whose payload was deleted', { isPayloadDeleted: true }, 'the payload was deleted'],
  ])('of a %s is dead with this reason', async (_name, missing, answer) => {
    const { attempt, row, faults, carried } = deliveryWorker()
    Object.assign(faults, missing)
    expect(await attempt(HINT)).toBe('dead')
    expect(row()).toMatchObject({ status: 'DEAD', answer })
    expect(carried).toEqual([])
  })

  it('to a removed destination is dropped', async () => {
    const { receive, carried } = deliveryWorker()
    expect(await receive(JSON.stringify({ ...HINT, destination: 'ledger' }))).toBe('dropped')
    expect(carried).toEqual([])
  })

  it('whose carrier throws fails, and is charged', async () => {
    const { attempt, row, log } = deliveryWorker([new TypeError('a bug')])
    expect(await attempt(HINT)).toBe('failed')
    expect(row()).toMatchObject({ status: 'PENDING', attempts: 1, answer: 'could not be sent' })
    expect(log.of('a delivery could not be made')).toHaveLength(1)
  })
})

describe('a hint', () => {
  it('that arrives early is requeued until the delivery is due, five times at most', async () => {
    const worker = deliveryWorker([refused()])
    await worker.attempt(HINT)
    expect(await worker.attempt({ ...HINT, n: 1 })).toBe('postponed')
    expect(worker.sent.at(-1)).toEqual({ ...KEY, n: 1, hops: 1, delayMs: 5000 })
    expect(await worker.attempt({ ...HINT, n: 1, hops: 5 })).toBe('stopped')
  })

  it('for a delivery under way is requeued until the end of its lease, because its worker may have crashed', async () => {
    const worker = deliveryWorker()
    await worker.memory.store.claim({ ...HINT, owner: 'another', now: at(0), leaseUntil: at(LEASE) })
    expect(await worker.attempt({ ...HINT, n: 1 })).toBe('postponed')
    expect(worker.sent).toEqual([{ ...KEY, n: 1, hops: 1, delayMs: LEASE }])
    worker.clock.advance(LEASE + 1)
    expect(await worker.attempt({ ...HINT, n: 1, hops: 1 })).toBe('delivered')
  })

  it.each([
    ['of an earlier try', 0],
    ['of a later one', 2],
  ])('%s is dropped', async (_name, n) => {
    const worker = deliveryWorker([refused()])
    await worker.attempt(HINT)
    worker.clock.advance(10_000)
    expect(await worker.attempt({ ...HINT, n })).toBe('dropped')
    expect(worker.carried).toHaveLength(1)
  })

  it.each(['', '{}', '[]', '{"source":"stripe"}', '{"source":"a","eventId":"b","destination":"crm","n":-1}'])(
    'that is invalid, %j, stays on the queue',
    async (message) => {
      await expect(deliveryWorker().receive(message)).rejects.toThrow('no hint')
    },
  )
})

describe('an internal outage', () => {
  it.each([
    ['of the event store', { find: true }],
    ['of the secrets', { find: false }],
  ])('%s uses up no try', async (_name, { find }) => {
    const worker = deliveryWorker(find ? [] : [OUTAGE])
    if (find) worker.faults.find = () => Promise.reject(OUTAGE)
    await expect(worker.attempt(HINT)).rejects.toThrow()
    expect(worker.row()).toMatchObject({ status: 'PENDING', attempts: 0, dueAt: at(0) })
  })

  it('after the call does count: the lease ends the try, and the delivery is sent again', async () => {
    const worker = deliveryWorker()
    worker.faults.carrying = async () => {
      worker.memory.isStoreDown = true
    }
    await expect(worker.attempt(HINT)).rejects.toThrow()
    worker.memory.isStoreDown = false
    worker.faults.carrying = async () => undefined
    expect(worker.row()).toMatchObject({ status: 'SENDING', attempts: 1 })
    worker.clock.advance(LEASE + 1)
    expect(await worker.attempt({ ...HINT, n: 1 })).toBe('delivered')
    expect(worker.row()?.attempts).toBe(2)
  })
})

it('D11 a process that paused for longer than its lease allows makes no call, and gives the try back', async () => {
  const worker = deliveryWorker()
  worker.faults.find = async () => worker.clock.advance(LEASE - CRM.timeout + 1)
  expect(await worker.attempt(HINT)).toBe('released')
  expect(worker.carried).toEqual([])
  expect(worker.row()).toMatchObject({ status: 'PENDING', attempts: 0 })
})

describe('a destination', () => {
  it('that is disabled receives nothing, and nothing is lost', async () => {
    const worker = deliveryWorker()
    await worker.memory.healthStore.change('crm', (health) => disabled(health, { at: at(0), user: 'admin' }))
    expect(await worker.attempt(HINT)).toBe('held')
    expect(await worker.attempt({ ...HINT, isProbe: true })).toBe('held')
    expect(worker.row()).toMatchObject({ status: 'PENDING', attempts: 0 })
  })

  it('that answers 410 is disabled; its delivery waits', async () => {
    const worker = deliveryWorker([refused({ answer: 'HTTP 410', isGone: true })])
    expect(await worker.attempt(HINT)).toBe('failed')
    expect(worker.memory.health.get('crm')).toMatchObject({ state: 'DISABLED', reason: 'HTTP 410' })
    expect(worker.row()?.status).toBe('PENDING')
    expect(worker.sent).toEqual([])
  })

  it('that requests a pause receives nothing until its end; hints wait as well', async () => {
    const worker = deliveryWorker([refused({ answer: 'HTTP 429', isBusy: true, retryAfter: 30_000 })])
    await worker.attempt(HINT)
    expect(worker.row()?.dueAt).toEqual(at(30_000))
    const other = { ...HINT, eventId: 'event-2' }
    expect(await worker.attempt(other)).toBe('postponed')
    expect(worker.sent.at(-1)).toMatchObject({ eventId: 'event-2', delayMs: 30_000 })
  })

  it('with an open circuit receives only probes', async () => {
    const worker = deliveryWorker()
    await worker.memory.healthStore.change('crm', open)
    expect(await worker.attempt(HINT)).toBe('held')
    expect(await worker.attempt({ ...HINT, isProbe: true })).toBe('delivered')
    expect(worker.memory.health.get('crm')?.state).toBe('CLOSED')
  })

  it('that fails a probe does not charge the delivery, and the next probe is another delivery', async () => {
    const worker = deliveryWorker([refused()])
    await worker.memory.healthStore.change('crm', open)
    worker.clock.advance(MINUTE)
    expect(await worker.attempt({ ...HINT, isProbe: true })).toBe('failed')
    const { probeAt } = worker.memory.health.get('crm') ?? {}
    expect(probeAt).toEqual(at(2 * MINUTE))
    expect(worker.row()).toMatchObject({ status: 'PENDING', attempts: 0, dueAt: at(3 * MINUTE) })
  })

  it('with an open circuit gets no second probe from the first: a late one is not requeued', async () => {
    const worker = deliveryWorker([refused()])
    await worker.memory.healthStore.change('crm', open)
    const probe = { ...HINT, isProbe: true } as const
    await worker.attempt(probe)
    expect(await worker.attempt(probe)).toBe('stopped')
    await worker.memory.healthStore.change('crm', (health) => ({ ...health, heldUntil: at(60 * MINUTE) }))
    worker.clock.advance(10_000)
    expect(await worker.attempt(probe)).toBe('stopped')
    expect(worker.sent).toEqual([])
  })

  it('whose circuit is closed again is used as usual, and charges a late probe as well', async () => {
    const worker = deliveryWorker([refused()])
    expect(await worker.attempt({ ...HINT, isProbe: true })).toBe('failed')
    expect(worker.row()).toMatchObject({ status: 'PENDING', attempts: 1 })
    expect(worker.sent.at(-1)).toEqual({ ...KEY, n: 1, delayMs: 5000 })
  })

  it('whose health cannot be written receives its delivery nevertheless', async () => {
    const worker = deliveryWorker([refused()])
    const { change } = worker.memory.healthStore
    worker.memory.healthStore.change = () => Promise.reject(OUTAGE)
    expect(await worker.attempt(HINT)).toBe('failed')
    worker.memory.healthStore.change = change
    expect(worker.log.of('the health of a destination is not noted')).toHaveLength(1)
    expect(worker.row()).toMatchObject({ status: 'PENDING', attempts: 1 })
  })

  it('without failures causes no write of its health', async () => {
    const worker = deliveryWorker()
    await worker.attempt(HINT)
    expect(worker.memory.health.size).toBe(0)
  })
})
