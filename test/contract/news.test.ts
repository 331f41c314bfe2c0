import { expect, it } from 'vitest'
import { dynamoDeliveryDesk, dynamoDeliveryStore } from '../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoDueDeliveries } from '../../lib/adapters/dynamodb/due-deliveries.ts'
import { dynamoEventReader } from '../../lib/adapters/dynamodb/event-reader.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import { dynamoHealthStore } from '../../lib/adapters/dynamodb/health-store.ts'
import { dynamoNews } from '../../lib/adapters/dynamodb/news.ts'
import type { DeliveryAnswer } from '../../lib/deliver/carrier.ts'
import { createCircuit } from '../../lib/deliver/circuit.ts'
import { deliveringInserts, wakeAll } from '../../lib/deliver/delivering-inserts.ts'
import type { DeliveryHint } from '../../lib/deliver/delivery.ts'
import type { Destination } from '../../lib/deliver/destination.ts'
import { type News, newsDesk, tallying, tellNews } from '../../lib/deliver/news.ts'
import { disableDestination, enableDestination } from '../../lib/deliver/operators/circuit.ts'
import { scanDeliveries } from '../../lib/deliver/scan.ts'
import { createDeliveries } from '../../lib/deliver/worker.ts'
import { clockIds } from '../../lib/runtime/ids.ts'
import type { Announcement } from '../../lib/webhooks/live/announcement.ts'
import { failedEvent as announced } from '../../lib/webhooks/live/announcement.ts'
import { retentionOf } from '../../lib/webhooks/retention/retention.ts'
import { TABLES } from '../support/emulated-store.ts'
import { fixedClock } from '../support/fakes/clock.ts'
import { CRM, EVENT, refused } from '../support/fakes/deliveries.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { recordingMetrics } from '../support/fakes/metrics.ts'
import { startedStore } from './stores.ts'

const clock = fixedClock()
const store = startedStore('dynoxide', clock)

const OK: DeliveryAnswer = { kind: 'delivered', answer: 'HTTP 204' }
const SECOND = 1000
let worlds = 0

/** Destinations of one test, whose functions run on the moved clock; `answers` says how each answers now. */
function world(from: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>) {
  worlds += 1
  const named = (name: string) => `${name}-${worlds}`
  const destinations = Object.entries(from).map(
    ([name, types]): Destination => ({ ...CRM, name: named(name), from: new Map(Object.entries(types)) }),
  )
  const answers = new Map<string, DeliveryAnswer>()
  const arrived: [destination: string, eventId: string][] = []
  const queued: { readonly hint: DeliveryHint; readonly at: number }[] = []
  const queue = {
    async send(hint: DeliveryHint, delayMs: number) {
      queued.push({ hint, at: clock.now().getTime() + delayMs })
    },
  }
  const log = recordingLog()
  const ids = clockIds(clock)
  const tables = { events: TABLES.events, deliveries: TABLES.deliveries, retention: retentionOf({}) }
  const news = dynamoNews(store.documents, tables)
  const desk = newsDesk({ destinations, clock, ids, wake: (told) => wakeAll({ queue, log }, told) })
  const count = tallying(news, clock)
  const counting: Promise<void>[] = []
  const deaths = {
    announce: (ended: Announcement) => void counting.push(count(ended)),
    drained: async () => void (await Promise.all(counting)),
  }
  const health = dynamoHealthStore(store.documents, TABLES.deliveries, async () => {}, { desk, tables })
  const due = dynamoDueDeliveries(store.documents, TABLES.deliveries)
  const moves = dynamoDeliveryStore(store.documents, TABLES.deliveries)
  const reader = dynamoEventReader(store.documents, TABLES.events)
  const shared = { queue, clock, deaths, metrics: recordingMetrics(), log }
  const workers = new Map(
    destinations.map((destination) => {
      const { name } = destination
      const carrier = {
        async carry({ event }: { readonly event: { readonly eventId: string } }) {
          const answer = answers.get(name) ?? OK
          if (answer.kind === 'delivered') arrived.push([name, event.eventId])
          return answer
        },
      }
      const circuit = createCircuit(health, name, clock)
      const own = { destination, store: moves, events: reader, circuit, carrier, wait: async () => {}, ids }
      return [name, createDeliveries({ ...shared, ...own, random: () => 0 })]
    }),
  )
  const events = deliveringInserts(dynamoEventStore(store.documents, { ...tables, effects: [] }), {
    destinations,
    queue,
    log,
    failed: (event) => count(announced(event)),
  })
  const heard = new Map<string, Date>()
  const expected = new Map<string, string>()
  const calls = {
    all: async () =>
      [...heard].map(([source, lastAcceptedAt]) => ({ source, lastAcceptedAt, lastRefusedAt: undefined })),
  }
  const scan = () => tellNews({ store: news, desk, events: reader, calls, expected, clock })

  /** What is due in a second, and the scans when it is their time. */
  async function tick(second: number): Promise<void> {
    const now = clock.now().getTime()
    for (const one of queued.filter(({ at }) => at <= now)) {
      queued.splice(queued.indexOf(one), 1)
      await workers.get(one.hint.destination)?.attempt(one.hint)
    }
    const deadline = new Date(now + 60 * SECOND)
    if (second % 60 === 0) await scanDeliveries({ ...shared, destinations, store: moves, due, health }, deadline)
    await deaths.drained()
    if (second % 300 === 0) await scan()
    clock.advance(SECOND)
  }

  async function run(seconds: number): Promise<void> {
    for (let second = 1; second <= seconds; second++) await tick(second)
  }

  let accepted = 0
  const accept = async (source = 'shop', changes = {}) => {
    accepted += 1
    const fresh = { id: ids.ordered(), source, eventId: `e-${worlds}-${accepted}`, receivedAt: clock.now() }
    const event = { ...EVENT, endsAt: undefined, ...fresh, ...changes }
    await events.insert(event, {})
    return event
  }

  /** The news that a destination received, in order: the id as it is without the time, and the body. */
  async function newsAt(name: string) {
    const received = arrived.filter(([to, id]) => to === named(name) && !id.startsWith('e-'))
    const found = await Promise.all(received.map(([, eventId]) => reader.find({ source: 'gatehouse', eventId })))
    return found.map((event) => {
      const { at: _, ...body } = JSON.parse(event?.payload?.toString() ?? '') as News & { readonly at: string }
      return [event?.eventId.replace(/\/[^/]+$/, ''), body] as const
    })
  }

  const operators = { destinations, health, due, clock, audit: { decided() {} } }
  const say = (name: string, answer: DeliveryAnswer) => answers.set(named(name), answer)
  return { named, say, run, accept, newsAt, operators, scan, heard, expected, news, desk, arrived, health }
}

it('a destination that is down and gets news of itself makes no loop: an hour has one opening, and its end is told', async () => {
  const { named, say, run, accept, newsAt, health, arrived } = world({
    crm: { shop: ['**'], gatehouse: ['**'] },
    ops: { gatehouse: ['destination.*'] },
  })
  say('crm', refused())
  for (let minute = 0; minute < 60; minute++) {
    if (minute < 15) await accept()
    await run(60)
  }
  const crm = named('crm')
  const opened = [
    `destination.opened/${crm}`,
    { type: 'destination.opened', destination: crm, reason: 'HTTP 503', count: 1 },
  ]
  expect(await newsAt('ops')).toEqual([opened])
  expect(await health.read(crm)).toMatchObject({ state: 'OPEN', told: 'OPEN' })
  expect(arrived.filter(([name]) => name === crm)).toEqual([])

  say('crm', OK)
  await run(600)
  const recovered = [`destination.recovered/${crm}`, expect.objectContaining({ destination: crm, reason: 'HTTP 204' })]
  expect(await newsAt('ops')).toEqual([opened, recovered])
  // What waited for the destination itself arrived as well, each once, in any order.
  expect((await newsAt('crm')).map(([id]) => id).toSorted()).toEqual([opened[0], recovered[0]])
})

it('a destination that fails with news alone is no news, however long it fails and comes back', async () => {
  const { named, say, run, newsAt, health, news, desk } = world({
    crm: { gatehouse: ['**'] },
    ops: { gatehouse: ['**'] },
  })
  say('crm', refused())
  const tellOne = async () => {
    const told = desk.about({ type: 'source.silent', source: `s-${clock.now().getTime()}`, reason: 'x', count: 1 })
    if (await news.tell(told)) await desk.wake(told)
  }
  for (let minute = 0; minute < 20; minute++) {
    await tellOne()
    await run(60)
  }
  const { state, told } = await health.read(named('crm'))
  expect([state, told]).toEqual(['OPEN', undefined])
  say('crm', OK)
  await run(600)
  expect((await health.read(named('crm'))).state).toBe('CLOSED')
  expect((await newsAt('ops')).filter(([, { type }]) => type !== 'source.silent')).toEqual([])
})

it('a 410 and an operator disable, each with its reason, and who enables ends it', async () => {
  const { named, say, run, accept, newsAt, operators } = world({
    crm: { shop: ['**'] },
    ops: { gatehouse: ['destination.*'] },
  })
  const order = { user: 'ada', reason: 'too slow' }
  say('crm', refused({ answer: 'HTTP 410', isGone: true }))
  await accept()
  await run(5)
  await enableDestination(operators, named('crm'), { user: 'ada', reason: 'it is back' })
  clock.advance(1)
  for (const _twice of [1, 2]) await disableDestination(operators, named('crm'), order)
  await enableDestination(operators, named('crm'), { user: 'ada' })
  await run(5)
  expect((await newsAt('ops')).map(([, { type, reason }]) => [type, reason])).toEqual([
    ['destination.disabled', 'HTTP 410'],
    ['destination.recovered', 'it is back'],
    ['destination.disabled', 'too slow'],
    ['destination.recovered', 'by an operator'],
  ])
})

it('dead deliveries and failed events are told every five minutes, once for each subject, and never those of news', async () => {
  const { named, say, run, accept, newsAt } = world({
    crm: { shop: ['**'], gatehouse: ['**'] },
    ops: { gatehouse: ['delivery.*', 'event.*'] },
  })
  say('crm', refused({ answer: 'message refused', isRefused: true }))
  const dead = () => accept('shop', { status: 'FAILED', dead: true, errorMessage: 'no JSON', processedAt: undefined })
  await accept()
  await accept()
  const last = await dead()
  await run(300)
  const other = await accept()
  await run(300)
  // Nothing ended since: nothing is told.
  await run(600)
  const { eventId, eventType } = last
  const about = { source: 'shop', eventId, eventType, reason: 'message refused' }
  const crm = { type: 'delivery.dead', destination: named('crm') }
  expect(await newsAt('ops')).toEqual([
    [`delivery.dead/${named('crm')}`, { ...crm, ...about, count: 3 }],
    ['event.failed/shop', { type: 'event.failed', ...about, reason: 'no JSON', count: 1 }],
    [`delivery.dead/${named('crm')}`, { ...crm, ...about, eventId: other.eventId, count: 1 }],
  ])
})

it('a silence is told once, and the next one again; a source that never sent anything once', async () => {
  const { run, newsAt, heard, expected } = world({ ops: { gatehouse: ['source.silent'] } })
  expected.set('shop', '10m').set('till', '1h')
  heard.set('shop', clock.now())
  await run(1800)
  heard.set('shop', clock.now())
  await run(1800)
  const silence = (source: string, span: string) => [
    `source.silent/${source}`,
    { type: 'source.silent', source, reason: `no event within ${span}`, count: 1 },
  ]
  expect(await newsAt('ops')).toEqual([silence('till', '1h'), silence('shop', '10m'), silence('shop', '10m')])
})

it('what is counted while it is told is told the next time, and an event that is there stays as it is', async () => {
  const { news, desk } = world({ ops: { gatehouse: ['**'] } })
  const tally = {
    type: 'event.failed',
    subject: 'till',
    since: clock.now(),
    last: { source: 'till', eventId: 'a', reason: 'x' },
  } as const
  await news.count(tally)
  const [read] = await news.counted()
  clock.advance(1)
  await news.count({ ...tally, since: clock.now(), last: { ...tally.last, eventId: 'b' } })
  const told = desk.about({ type: 'event.failed', source: 'till', reason: 'x', count: 1 }, tally.since)
  expect(await news.tell(told, read)).toBe(false)
  const [next] = await news.counted()
  expect(next).toEqual({ ...tally, count: 2, last: { ...tally.last, eventId: 'b' } })
  expect(await news.tell(told, next)).toBe(true)
  expect(await news.tell(told)).toBe(false)
  expect(await news.counted()).toEqual([])
})

it('is stored as any event: proven in full by the service, kept as long as others, and without deliveries if nobody wants it', async () => {
  const { news, desk } = world({ ops: { gatehouse: ['source.silent'] } })
  const told = desk.about({ type: 'event.failed', source: 'shop', reason: 'x', count: 1 })
  await news.tell(told)
  const event = await dynamoEventReader(store.documents, TABLES.events).find(told.event)
  expect(event).toMatchObject({
    source: 'gatehouse',
    eventType: 'event.failed',
    status: 'PROCESSED',
    proof: { level: 'full', key: 'gatehouse', signedAt: clock.now(), typeSigned: true, idSigned: true },
    summary: 'shop: x',
  })
  expect(Math.round(((event?.endsAt?.getTime() ?? 0) - clock.now().getTime()) / 86_400_000)).toBe(90)
  expect(await dynamoDeliveryDesk(store.documents, TABLES.deliveries).of(told.event)).toEqual([])
})
