import type { SendMessageCommand } from '@aws-sdk/client-sqs'
import { type SqsSender, sqsRetryQueue } from '../../lib/adapters/sqs/retry-queue.ts'
import type { Ids } from '../../lib/runtime/ids.ts'
import type { Log } from '../../lib/runtime/log.ts'
import type { Metrics } from '../../lib/runtime/metrics.ts'
import { ProcessingError } from '../../lib/webhooks/apply.ts'
import type { Audit } from '../../lib/webhooks/audit.ts'
import { hintOf, type WebhookEvent } from '../../lib/webhooks/event.ts'
import { createInbox } from '../../lib/webhooks/inbox.ts'
import { ITEMS_AT_ONCE } from '../../lib/webhooks/place.ts'
import type { RetryQueue } from '../../lib/webhooks/retry/queue.ts'
import { type DueEvents, scanEvents } from '../../lib/webhooks/retry/scan.ts'
import { type Claim, createRetries, type RetryStore } from '../../lib/webhooks/retry/worker.ts'
import { generic } from '../../lib/webhooks/schemes/generic.ts'
import type { EventSource, Plan } from '../../lib/webhooks/source.ts'
import { START } from '../support/fakes/clock.ts'
import { MemoryStore } from '../support/fakes/memory-store.ts'
import { POLICY } from '../support/fakes/webhooks.ts'
import { forked, type Random, seeded } from '../support/random.ts'
import { type Delivery, deliveryOf, NAME_HEADER } from './delivery.ts'
import { type EventSpec, eventsOf } from './event-spec.ts'
import { type Fault, faultOf, WEATHERS, type Weather, type WeatherName } from './faults.ts'
import { Judge } from './judge.ts'
import type { Mutation, Ports } from './mutation.ts'
import { Network, type Process } from './process.ts'
import { Scheduler } from './scheduler.ts'
import { READ } from './sources.ts'

export interface Options {
  readonly seed: number
  readonly weather?: WeatherName
  readonly mutation?: Mutation
  readonly events?: readonly EventSpec[]
  /** Instead of the weather: the fault of each call, by its number. */
  readonly faultAt?: (call: number) => Fault | undefined
  /** Told what happens, a line each. */
  readonly trace?: (line: string) => void
}

export interface Report {
  readonly violations: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  /** By the number of a call what happened to it. */
  readonly faults: Readonly<Record<string, Fault>>
}

const HOUR = 3_600_000
/** When the weather clears up, and when all has to be over. */
const CLEAR = 4 * HOUR
const END = 72 * HOUR

/** How many elements of a batch the adapter writes at once. */
const CHUNK = 25

const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} }
const UNHEARD: Audit = { decided() {} }
const UNCOUNTED: Metrics = { count() {}, measure() {} }

/** Senders, functions, a store and a queue: the code under test with a world around it. */
export class World {
  readonly #options: Options
  readonly #random: Random
  /** Decides on the faults of calls and nothing else: a world stays the same with these faults given. */
  readonly #misfortune: Random
  readonly #weather: Weather
  readonly #scheduler = new Scheduler(START)
  readonly #store: MemoryStore
  readonly #network: Network
  readonly #judge: Judge
  readonly #specs: readonly EventSpec[]
  readonly #deliveries = new Map<string, Delivery>()
  readonly #runs = new Map<string, number>()
  readonly #counts: Record<string, number> = {}
  readonly #faults: Record<string, Fault> = {}
  #ids = 0
  #calls = 0
  #pending = 0

  constructor(options: Options) {
    const { seed, weather = 'storm', mutation, events } = options
    this.#options = options
    const random = seeded(seed)
    this.#random = forked(random)
    this.#misfortune = forked(random)
    this.#weather = WEATHERS[weather]
    this.#specs = events ?? eventsOf(seeded(seed), weather)
    this.#judge = new Judge(
      weather,
      this.#deliveries,
      () => this.#store,
      () => this.#scheduler.now,
    )
    this.#store = new MemoryStore({
      without: mutation?.without ?? [],
      moved: (before, after) => {
        this.#judge.moved(before, after)
        this.#trace(
          `  ${after.source} ${after.eventId}: ${before?.status} → ${after.status}, ${after.attempts} attempts`,
        )
        if (!before) this.#countStored(after)
      },
    })
    this.#network = new Network(this.#scheduler, this.#random, (name) => this.#faultFor(name))
  }

  async run(): Promise<Report> {
    for (const spec of this.#specs) this.#plan(spec)
    if (!this.#options.mutation?.isUnswept) this.#sweepLater(this.#random.between(0, POLICY.scanInterval))
    await unstacked(() => this.#scheduler.run(() => this.#isOver()))
    const violations = this.#judge.verdict()
    return { violations, counts: this.#counts, faults: this.#faults }
  }

  #isOver(): boolean {
    const isLate = this.#scheduler.now - START.getTime() > END
    return isLate || (this.#pending === 0 && [...this.#store.events.values()].every(({ event }) => isFinal(event)))
  }

  /** Something that has to happen before the world can be over. */
  #later(milliseconds: number, act: () => void): void {
    this.#pending += 1
    this.#scheduler.after(milliseconds, () => {
      this.#pending -= 1
      act()
    })
  }

  #trace(line: string): void {
    this.#options.trace?.(`${new Date(this.#scheduler.now).toISOString()} ${line}`)
  }

  #count(what: string): void {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1
  }

  #countStored({ status, possibleDuplicateOf, idConflict, proof, itemCount = 0 }: WebhookEvent): void {
    if (status !== 'RECEIVED') this.#count('accepted')
    if (possibleDuplicateOf !== undefined) this.#count('look-alikes')
    if (idConflict) this.#count('other contents')
    if (proof.isStale) this.#count('late events')
    if (itemCount > ITEMS_AT_ONCE) this.#count('large batches')
  }

  #faultFor(name: string): Fault | undefined {
    const number = this.#calls++
    const fault = this.#chooseFault(number, name)
    if (fault) {
      this.#count(fault)
      this.#faults[number] = fault
    }
    this.#trace(`${name}${fault ? ` (${fault})` : ''}`)
    return fault
  }

  #chooseFault(number: number, name: string): Fault | undefined {
    this.#count('calls')
    if (this.#options.faultAt) return this.#options.faultAt(number)
    const isSpared = this.#weather.sparesRelease && name === 'release'
    return isSpared || this.#isClear() ? undefined : faultOf(this.#weather.calls, this.#misfortune)
  }

  #isClear(): boolean {
    return this.#scheduler.now - START.getTime() > CLEAR
  }

  #process(kind: Process['kind']): Process {
    const { skew } = this.#weather
    const offset = skew === 0 ? 0 : this.#random.between(-skew, skew)
    return { kind, isDead: false, clock: { now: () => new Date(this.#scheduler.now + offset) } }
  }

  // Senders.

  #plan(spec: EventSpec): void {
    const tries = spec.isPoison ? 2 : 8
    const { id, eventId } = spec
    for (let copy = 0; copy < spec.copies; copy++)
      this.#later(spec.sentAt + copy, () => this.#send(spec, eventId, tries))
    for (const at of spec.repeatedAt) this.#later(spec.sentAt + at, () => this.#send(spec, eventId, 1))
    for (const at of spec.replayedAt) this.#later(spec.sentAt + at, () => this.#send(spec, `${id}-replayed`, 1))
  }

  /** Sends an event until it is acknowledged. */
  #send(spec: EventSpec, eventId: string, tries: number): void {
    const process = this.#process('intake')
    const inbox = createInbox({
      events: this.#portsOf(process).events,
      queue: this.#queueOf(process),
      policy: POLICY,
      clock: process.clock,
      ids: this.#idsOf(process),
      audit: UNHEARD,
      log: SILENT,
    })
    const name = `${spec.id}/${this.#deliveries.size}`
    const isRepeated = this.#scheduler.now - START.getTime() > spec.sentAt
    const delivery = deliveryOf({ name, spec, eventId, receivedAt: process.clock.now(), isRepeated })
    this.#deliveries.set(name, delivery)
    let isAcknowledged = false
    this.#count('deliveries')
    inbox.accept(this.#sourceOf(spec.source, process), delivery.call).then(
      (acceptance) => {
        isAcknowledged = true
        if (acceptance === 'duplicate') this.#count('duplicates')
        this.#judge.acknowledged(delivery, acceptance)
      },
      () => this.#judge.refused(delivery),
    )
    if (tries <= 1) return
    this.#later(this.#random.between(160_000, 1_800_000), () => {
      if (!isAcknowledged) this.#send(spec, eventId, tries - 1)
    })
  }

  #sourceOf(name: string, process: Process): EventSource {
    const read = READ.get(name)
    if (!read) throw new Error('no such source in this world')
    return {
      name,
      scheme: generic,
      read: (call) => {
        const delivery = this.#deliveries.get(call.headers[NAME_HEADER] ?? '')
        if (!delivery) throw new Error('no such delivery in this world')
        const plan = () => this.#handle(delivery, process)
        // Of batches the code under test says itself whether they are handed over.
        const { isHandedOver, source } = delivery.spec
        return { ...read(call), plan, ...(isHandedOver && source !== 'batches' && { isHandedOver }) }
      },
    }
  }

  /** The handler of an event. */
  #handle(delivery: Delivery, process: Process): Plan {
    const { spec } = delivery
    const runs = this.#runsBefore(delivery, process)
    process.isDead = spec.isPoison
    if (spec.isPoison) this.#count('killed by a handler')
    if (spec.isPoison || runs < spec.failures) throw new ProcessingError('the handler failed')
    return spec.payment ? { payment: { ...spec.payment, currency: 'EUR' } } : { outcome: 'done' }
  }

  /** The intake's own runs are one, however often the event is sent. */
  #runsBefore(delivery: Delivery, process: Process): number {
    if (process.kind === 'intake') return 0
    const before = this.#runs.get(delivery.name) ?? 0
    this.#runs.set(delivery.name, before + 1)
    this.#count('runs')
    this.#judge.ran(delivery, process)
    return before + (delivery.spec.isHandedOver ? 0 : 1)
  }

  // The store and the queue, as a process sees them.

  #idsOf(process: Process): Ids {
    return {
      ordered: () => BigInt(++this.#ids),
      unique: () => {
        process.owner = `owner-${++this.#ids}`
        return process.owner
      },
    }
  }

  #portsOf(process: Process): Ports {
    const call = <T>(name: string, apply: () => Promise<T>) => this.#network.call(process, name, apply)
    const { eventStore, retryStore } = this.#store
    const retries: RetryStore = {
      claim: async (claim) => {
        const result = await call('claim', () => retryStore.claim(claim))
        return result.kind === 'claimed' ? { ...result, body: () => call('body', result.body) } : result
      },
      finish: (...given) => call('finish', () => this.#ending(given[0], retryStore.finish(...given))),
      writeItems: async (event, items) => {
        for (let end = 0; end < items.length; end += CHUNK) {
          await call('writeItems', () => retryStore.writeItems(event, items.slice(0, end + CHUNK)))
        }
      },
      fail: (...given) => call('fail', () => this.#ending(given[0], retryStore.fail(...given))),
      release: (...given) => call('release', () => this.#ending(given[0], retryStore.release(...given))),
      exhaust: (...given) => call('exhaust', () => retryStore.exhaust(...given)),
    }
    const ports: Ports = {
      events: {
        insert: (...given) => call('insert', () => eventStore.insert(...given)),
        noteConflict: (...given) => call('noteConflict', () => eventStore.noteConflict(...given)),
        forget: (...given) => call('forget', () => eventStore.forget(...given)),
      },
      retries,
    }
    return this.#options.mutation?.replace?.(ports, this.#store, call) ?? ports
  }

  async #ending<T extends { readonly kind: string }>(claim: Claim, ending: Promise<T>): Promise<T> {
    const result = await ending
    if (result.kind === 'written') this.#judge.ended(claim.owner, this.#store.find(claim)?.owner)
    return result
  }

  #queueOf(process: Process): RetryQueue {
    const client = {
      send: ({ input }: SendMessageCommand) =>
        this.#network.call(process, 'send', async () =>
          this.#post(process, input.MessageBody ?? '', input.DelaySeconds),
        ),
    }
    return sqsRetryQueue(client as unknown as SqsSender, 'queue')
  }

  // Messages.

  #post({ kind }: Process, message: string, delaySeconds = 0): void {
    const { lost, doubled, late, onlySweep } = this.#isClear()
      ? WEATHERS.calm.post
      : { onlySweep: false, ...this.#weather.post }
    this.#count('messages')
    if (this.#random.chance(lost) || (onlySweep && kind !== 'sweep')) {
      this.#count('messages lost')
      return
    }
    const copies = this.#random.chance(doubled) ? this.#random.between(2, 5) : 1
    for (let copy = 0; copy < copies; copy++) {
      const delay = this.#random.chance(late) ? this.#random.between(1000, 600_000) : this.#random.between(5, 300)
      this.#later(delaySeconds * 1000 + delay, () => this.#deliver(message, 1))
    }
    if (copies > 1) this.#count('messages doubled')
  }

  /** Gives a message to a worker, and again after the visibility timeout when it was not done with; at most five times. */
  #deliver(message: string, receive: number): void {
    const process = this.#process('worker')
    const worker = createRetries({
      store: this.#portsOf(process).retries,
      queue: this.#queueOf(process),
      sourceOf: (name) => this.#sourceOf(name, process),
      policy: POLICY,
      clock: process.clock,
      ids: this.#idsOf(process),
      audit: UNHEARD,
      log: SILENT,
    })
    let isDone = false
    worker.receive(this.#options.mutation?.isUnfenced ? this.#refreshed(message) : message).then(
      () => {
        isDone = true
      },
      () => {},
    )
    this.#later(90_000, () => {
      if (!isDone && receive < 5) this.#deliver(message, receive + 1)
    })
  }

  #refreshed(message: string): string {
    const event = this.#store.find(JSON.parse(message))
    return event ? JSON.stringify(hintOf(event)) : message
  }

  // The scan.

  #sweepLater(milliseconds: number): void {
    this.#scheduler.after(milliseconds, () => {
      if ([...this.#store.events.values()].some(({ event }) => !isFinal(event))) this.#sweep()
      this.#sweepLater(POLICY.scanInterval)
    })
  }

  #sweep(): void {
    const process = this.#process('sweep')
    const { dueEvents } = this.#store
    const call = <T>(name: string, apply: () => Promise<T>) => this.#network.call(process, name, apply)
    const due: DueEvents = {
      dueBy: async function* (now) {
        yield* await call('query', () => pagesOf(dueEvents.dueBy(now)))
      },
      postponeScan: (...given) => call('postpone', () => dueEvents.postponeScan(...given)),
    }
    const deadline = new Date(process.clock.now().getTime() + 60_000)
    const parts = {
      store: this.#store.retryStore,
      due,
      queue: this.#queueOf(process),
      policy: POLICY,
      clock: process.clock,
      audit: UNHEARD,
      metrics: UNCOUNTED,
      log: SILENT,
    }
    scanEvents(parts, deadline).catch(() => undefined)
  }
}

/** Errors without their stacks, which a world throws by the dozen and nobody reads. */
async function unstacked(run: () => Promise<void>): Promise<void> {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    await run()
  } finally {
    Error.stackTraceLimit = before
  }
}

function isFinal({ status, dead }: WebhookEvent): boolean {
  return status === 'PROCESSED' || dead
}

async function pagesOf<T>(pages: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const page of pages) all.push(page)
  return all
}
