import type { SendMessageCommand } from '@aws-sdk/client-sqs'
import { type SqsSender, sqsRetryQueue } from '../../lib/adapters/sqs/retry-queue.ts'
import type { Ids } from '../../lib/runtime/ids.ts'
import { ProcessingError } from '../../lib/webhooks/apply.ts'
import type { Audit } from '../../lib/webhooks/audit.ts'
import { hintOf, type RetryHint, type WebhookEvent } from '../../lib/webhooks/event.ts'
import { createInbox } from '../../lib/webhooks/inbox.ts'
import { ITEMS_AT_ONCE } from '../../lib/webhooks/place.ts'
import { generic } from '../../lib/webhooks/providers/generic.ts'
import { type DueEvents, scanEvents } from '../../lib/webhooks/retry/scan.ts'
import { createRetries, type RetryStore, type Run } from '../../lib/webhooks/retry/worker.ts'
import type { EventSource, Plan } from '../../lib/webhooks/source.ts'
import type { HintQueue } from '../../lib/work/hints.ts'
import { START } from '../support/fakes/clock.ts'
import { MemoryStore } from '../support/fakes/memory-store.ts'
import { POLICY } from '../support/fakes/webhooks.ts'
import { seeded } from '../support/random.ts'
import { type Delivery, deliveryOf, NAME_HEADER } from './delivery.ts'
import { type EventSpec, eventsOf } from './event-spec.ts'
import type { Fault, WeatherName } from './faults.ts'
import { Judge } from './judge.ts'
import type { Mutation, Ports } from './mutation.ts'
import type { Process } from './process.ts'
import { READ } from './sources.ts'
import { pagesOf, SILENT, Stage, UNCOUNTED } from './stage.ts'

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
const VISIBILITY = 90_000

/** How many elements of a batch the adapter writes at once. */
const CHUNK = 25

const UNHEARD: Audit = { decided() {} }

/** Senders, functions, a store and a queue: the code under test with a world around it. */
export class World {
  readonly #options: Options
  readonly #stage: Stage
  readonly #store: MemoryStore
  readonly #judge: Judge
  readonly #specs: readonly EventSpec[]
  readonly #deliveries = new Map<string, Delivery>()
  readonly #runs = new Map<string, number>()
  #ids = 0

  constructor(options: Options) {
    const { seed, weather = 'storm', mutation, events, faultAt, trace } = options
    this.#options = options
    this.#stage = new Stage({ seed, weather, clear: CLEAR, end: END, faultAt, trace })
    this.#specs = events ?? eventsOf(seeded(seed), weather)
    this.#judge = new Judge(
      weather,
      this.#deliveries,
      () => this.#store,
      () => this.#stage.scheduler.now,
    )
    this.#store = new MemoryStore({
      without: mutation?.without ?? [],
      moved: (before, after) => {
        this.#judge.moved(before, after)
        this.#stage.trace(
          `  ${after.source} ${after.eventId}: ${before?.status} → ${after.status}, ${after.attempts} attempts`,
        )
        if (!before) this.#countStored(after)
      },
    })
  }

  async run(): Promise<Report> {
    for (const spec of this.#specs) this.#plan(spec)
    if (!this.#options.mutation?.isUnswept) this.#sweepLater(this.#stage.random.between(0, POLICY.scanInterval))
    await this.#stage.run(() => [...this.#store.events.values()].every(({ event }) => isFinal(event)))
    const { counts, faults } = this.#stage
    return { violations: this.#judge.verdict(), counts, faults }
  }

  #countStored({ status, possibleDuplicateOf, idConflict, proof, itemCount = 0 }: WebhookEvent): void {
    if (status !== 'RECEIVED') this.#stage.count('accepted')
    if (possibleDuplicateOf !== undefined) this.#stage.count('look-alikes')
    if (idConflict) this.#stage.count('other contents')
    if (proof.stale) this.#stage.count('late events')
    if (itemCount > ITEMS_AT_ONCE) this.#stage.count('large batches')
  }

  // Senders.

  #plan(spec: EventSpec): void {
    const tries = spec.isPoison ? 2 : 8
    const { id, eventId } = spec
    for (let copy = 0; copy < spec.copies; copy++)
      this.#stage.later(spec.sentAt + copy, () => this.#send(spec, eventId, tries))
    for (const at of spec.repeatedAt) this.#stage.later(spec.sentAt + at, () => this.#send(spec, eventId, 1))
    for (const at of spec.replayedAt) this.#stage.later(spec.sentAt + at, () => this.#send(spec, `${id}-replayed`, 1))
  }

  /** Sends an event until it is acknowledged. */
  #send(spec: EventSpec, eventId: string, tries: number): void {
    const process = this.#stage.process('intake')
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
    const isRepeated = this.#stage.scheduler.now - START.getTime() > spec.sentAt
    const delivery = deliveryOf({ name, spec, eventId, receivedAt: process.clock.now(), isRepeated })
    this.#deliveries.set(name, delivery)
    this.#stage.count('deliveries')
    const accepting = inbox.accept(this.#sourceOf(spec.source, process), delivery.call).then((acceptance) => {
      if (acceptance === 'duplicate') this.#stage.count('duplicates')
      this.#judge.acknowledged(delivery, acceptance)
    })
    accepting.catch(() => this.#judge.refused(delivery))
    this.#stage.insist(accepting, tries, (left) => this.#send(spec, eventId, left))
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
    if (spec.isPoison) this.#stage.count('killed by a handler')
    if (spec.isPoison || runs < spec.failures) throw new ProcessingError('the handler failed')
    return spec.payment ? { payment: { ...spec.payment, currency: 'EUR' } } : { outcome: 'done' }
  }

  /** The intake's own runs are one, however often the event is sent. */
  #runsBefore(delivery: Delivery, process: Process): number {
    if (process.kind === 'intake') return 0
    const before = this.#runs.get(delivery.name) ?? 0
    this.#runs.set(delivery.name, before + 1)
    this.#stage.count('runs')
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
    const call = this.#stage.callsOf(process)
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

  async #ending<T extends { readonly kind: string }>(claim: Run, ending: Promise<T>): Promise<T> {
    const result = await ending
    if (result.kind === 'written') this.#judge.ended(claim.owner, this.#store.find(claim)?.owner)
    return result
  }

  #queueOf(process: Process): HintQueue<RetryHint> {
    const call = this.#stage.callsOf(process)
    const post = async (message: string, delaySeconds = 0) =>
      this.#stage.post(process, delaySeconds * 1000, () => this.#stage.deliver(VISIBILITY, () => this.#work(message)))
    const client = {
      send: ({ input }: SendMessageCommand) => call('send', () => post(input.MessageBody ?? '', input.DelaySeconds)),
    }
    return sqsRetryQueue(client as unknown as SqsSender, 'queue')
  }

  #work(message: string): Promise<unknown> {
    const process = this.#stage.process('worker')
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
    return worker.receive(this.#options.mutation?.isUnfenced ? this.#refreshed(message) : message)
  }

  #refreshed(message: string): string {
    const event = this.#store.find(JSON.parse(message))
    return event ? JSON.stringify(hintOf(event)) : message
  }

  // The scan.

  #sweepLater(milliseconds: number): void {
    this.#stage.scheduler.after(milliseconds, () => {
      if ([...this.#store.events.values()].some(({ event }) => !isFinal(event))) this.#sweep()
      this.#sweepLater(POLICY.scanInterval)
    })
  }

  #sweep(): void {
    const process = this.#stage.process('sweep')
    const { dueEvents } = this.#store
    const call = this.#stage.callsOf(process)
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

function isFinal({ status, dead }: WebhookEvent): boolean {
  return status === 'PROCESSED' || dead
}
