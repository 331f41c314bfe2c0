import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { disabled, enabled, type Health } from '../../../lib/deliver/breaker.ts'
import type { Carrier, DeliveryAnswer, Parcel } from '../../../lib/deliver/carrier.ts'
import { createCircuit } from '../../../lib/deliver/circuit.ts'
import { deliveringInserts } from '../../../lib/deliver/delivering-inserts.ts'
import type { Delivery, DeliveryHint, DeliveryQueue } from '../../../lib/deliver/delivery.ts'
import type { Destination } from '../../../lib/deliver/destination.ts'
import { deliveriesOf } from '../../../lib/deliver/hint.ts'
import { endRemoved, scanDeliveries } from '../../../lib/deliver/scan.ts'
import type { DeliveryStore, DueDeliveries, HealthStore } from '../../../lib/deliver/stores.ts'
import { createDeliveries } from '../../../lib/deliver/worker.ts'
import type { WebhookEvent } from '../../../lib/webhooks/event.ts'
import type { EventStore } from '../../../lib/webhooks/place.ts'
import { CRM } from '../../support/fakes/deliveries.ts'
import { MemoryDeliveries } from '../../support/fakes/memory-deliveries.ts'
import { failedEvent } from '../../support/fakes/webhooks.ts'
import type { Lived } from '../kind.ts'
import type { Process } from '../process.ts'
import { pagesOf, SILENT, Stage, UNCOUNTED } from '../stage.ts'
import type { Deed, DeliverCourse, Manner } from './course.ts'
import { DeliverJudge } from './judge.ts'
import type { DeliverMutation } from './mutations.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** No call fails any more, and no message is lost. */
const CLEAR = 1.5 * HOUR
const END = 24 * HOUR
const VISIBILITY = 150_000

/** From the first function that a deployment reaches to the last. */
const SLOWEST_DEPLOYMENT = 10 * MINUTE

/** Whoever disables a destination, or hears the alarm that it is gone, enables it so much later. */
const MENDED_AFTER = 2 * HOUR

/** How many scans run twice at a time: a schedule starts its function at least once. */
const DOUBLED_SCANS = 0.1

const UNTOLD = { announce: () => undefined, drained: async () => undefined }
const ORDER = { user: 'operator' }

/** A process, and what it knew of its destination's circuit. */
interface Worker extends Process {
  /** The state of the circuit when it looked. */
  saw?: Health['state']
  isProbe?: boolean
}

export interface DeliverLiving {
  readonly mutation?: DeliverMutation | undefined
  readonly trace?: ((line: string) => void) | undefined
}

/** Senders, the intake's transaction, workers, the scan, operators and destinations: the code under test and a world. */
export class DeliverWorld {
  readonly #course: DeliverCourse
  readonly #living: DeliverLiving
  readonly #stage: Stage
  readonly #memory: MemoryDeliveries
  readonly #judge: DeliverJudge
  readonly #stored = new Map<string, WebhookEvent>()
  readonly #manners: Manner[][]
  #destinations: readonly Destination[]
  /** As the intake knows them: a deployment may reach it last. */
  #known: readonly Destination[]
  #ids = 0

  constructor(course: DeliverCourse, living: DeliverLiving = {}) {
    this.#course = course
    this.#living = living
    const { seed, sky, faults } = course
    const faultAt = faults && ((call: number) => faults[call])
    this.#stage = new Stage({ seed, weather: sky, clear: CLEAR, end: END, faultAt, trace: living.trace })
    this.#manners = course.manners.map((manners) => [...manners])
    this.#destinations = course.manners.map((_, index) => ({
      ...CRM,
      name: `d${index}`,
      delays: [5000, MINUTE, 20 * MINUTE],
      giveUpAfter: course.patience,
    }))
    this.#known = this.#destinations
    this.#judge = new DeliverJudge({
      course,
      destination: this.#destinations[0] ?? CRM,
      now: () => this.#stage.scheduler.now,
    })
    this.#memory = new MemoryDeliveries({
      without: living.mutation?.without ?? [],
      moved: (before, after) => {
        const name = nameOf(after)
        this.#stage.trace(`  ${name}: ${before?.status} → ${after.status}, ${after.attempts} tries`)
        this.#judge.moved(name, before, after)
      },
    })
  }

  async run(): Promise<Lived<DeliverCourse>> {
    for (const [index, { at }] of this.#course.events.entries())
      this.#stage.later(at, () => this.#send(eventOf(index), 8))
    for (const { deed, at, destination } of this.#course.deeds)
      this.#stage.later(at, () => this.#do(deed, `d${destination}`))
    if (!this.#has('nothing is scanned')) this.#scanLater(this.#stage.random.between(0, MINUTE))
    await this.#stage.run(() => [...this.#memory.rows.values()].every(({ delivery }) => isFinal(delivery)))
    const { counts, faults } = this.#stage
    return { course: { ...this.#course, faults }, violations: this.#judge.verdict(this.#memory), counts }
  }

  #has(flaw: DeliverMutation['flaw']): boolean {
    return this.#living.mutation?.flaw === flaw
  }

  // The intake.

  #send(event: WebhookEvent, tries: number): void {
    const process = this.#stage.process('intake')
    const call = this.#stage.callsOf(process)
    const events: EventStore = {
      insert: async (given, _effects, beside) => {
        const insert = async (rows: typeof beside) => {
          const stored = this.#stored.get(given.eventId)
          if (stored) return { kind: 'present', event: stored } as const
          this.#stored.set(given.eventId, given)
          this.#memory.add(given, rows?.deliverTo ?? [])
          return { kind: 'inserted' } as const
        }
        if (!this.#has('the rows are written after the event')) return call('insert', () => insert(beside))
        const result = await call('insert', () => insert(undefined))
        if (result.kind === 'inserted')
          await call('insert rows', async () => this.#memory.add(given, beside?.deliverTo ?? []))
        return result
      },
      noteConflict: async () => undefined,
      forget: async () => undefined,
    }
    const destinations = this.#known
    const parts = { destinations, queue: this.#queueOf(process), log: SILENT }
    const received = { ...event, id: BigInt(++this.#ids), receivedAt: process.clock.now() }
    this.#stage.count('deliveries')
    const accept = async () => {
      if (this.#has('hints are sent before the event is stored')) {
        const none: EventStore = { ...events, insert: async () => ({ kind: 'inserted' }) }
        await deliveringInserts(none, parts).insert(received, {})
        for (let wait = 0; wait < 10; wait++) await call('something before the commit', async () => undefined)
        return events.insert(received, {}, { deliverTo: rowsOf(received, destinations) })
      }
      return deliveringInserts(events, parts).insert(received, {})
    }
    const accepting = accept().then(() =>
      this.#judge.accepted(destinations.map(({ name }) => `${event.eventId} to ${name}`)),
    )
    this.#stage.insist(accepting, tries, (left) => this.#send(event, left))
  }

  // What a process sees of the store and the queue.

  #storeOf(process: Worker): DeliveryStore {
    const { store } = this.#memory
    const call = this.#stage.callsOf(process)
    const ended = async <T extends { readonly kind: string }>(
      claim: Parameters<DeliveryStore['release']>[0],
      ending: Promise<T>,
    ) => {
      const result = await ending
      if (result.kind === 'written') this.#judge.ended(claim.owner, this.#memory.find(claim)?.owner)
      return result
    }
    return {
      claim: (claim) => {
        const leaseUntil = this.#has('a lease ends before the call')
          ? new Date(claim.now.getTime() + 5000)
          : claim.leaseUntil
        Object.assign(claim, { leaseUntil })
        return call('claim', async () => {
          const before = this.#memory.find(claim)
          const result = await store.claim(claim)
          if (result.kind === 'claimed' && before) this.#judge.claimed(before, claim)
          return result
        })
      },
      deliver: (...given) => call('deliver', () => ended(given[0], store.deliver(...given))),
      fail: (...given) => call('fail', () => ended(given[0], store.fail(...given))),
      release: (claim, dueAt) =>
        call('release', () =>
          process.isProbe && this.#has('a probe is charged')
            ? ended(claim, store.fail(claim, this.#memory.find(claim) as Delivery, { at: dueAt, answer: '', dueAt }))
            : ended(claim, store.release(claim, dueAt)),
        ),
      abandon: (...given) => call('abandon', () => store.abandon(...given)),
    }
  }

  #healthOf(process: Worker): HealthStore {
    const { healthStore } = this.#memory
    const call = this.#stage.callsOf(process)
    return {
      read: (name) =>
        call('read health', async () => {
          const health = await healthStore.read(name)
          process.saw = health.state
          return health
        }),
      all: () =>
        call('all health', async () => {
          const all = await healthStore.all()
          const isForgotten = this.#has('what comes after a removal is forgotten')
          return isForgotten ? all.map((health) => ({ ...health, removedAt: new Date(0) })) : all
        }),
      remove: (name) => call('remove health', () => healthStore.remove(name)),
      change: (name, change, known) => call('change health', () => this.#change(process, name, change, known)),
    }
  }

  async #change(
    process: Worker,
    name: string,
    change: (present: Health) => Health | undefined,
    known?: Health,
  ): Promise<Health> {
    const before = await this.#memory.healthStore.read(name)
    const isEnabling = this.#has('a success enables') && process.kind === 'worker'
    const isStaying = this.#has('a probe leaves the time of the next one') && process.kind === 'sweep'
    const after = await this.#memory.healthStore.change(
      name,
      (present) => {
        const seen: Health = isEnabling && present.state === 'DISABLED' ? { ...present, state: 'OPEN' } : present
        const changed = change(seen)
        return changed && isStaying && present.probeAt ? { ...changed, probeAt: present.probeAt } : changed
      },
      known,
    )
    if (before.state === 'DISABLED' && after.state !== 'DISABLED')
      this.#judge.violate('a destination that nobody enabled')
    if (before.state !== after.state) this.#stage.count(`circuit ${after.state}`)
    if (after.state !== 'CLOSED') this.#judge.stopped(name)
    return after
  }

  #queueOf(process: Process): DeliveryQueue {
    const call = this.#stage.callsOf(process)
    const post = async (message: string, delayMs: number) =>
      this.#stage.post(process, Math.ceil(delayMs / 1000) * 1000, () =>
        this.#stage.deliver(VISIBILITY, () => this.#work(JSON.parse(message))),
      )
    return { send: (hint, delayMs) => call('send', () => post(JSON.stringify(hint), delayMs)) }
  }

  #work(hint: DeliveryHint): Promise<unknown> | undefined {
    const destination = this.#destinations.find(({ name }) => name === hint.destination)
    if (!destination) return undefined
    const process: Worker = this.#stage.process('worker')
    process.isProbe = hint.isProbe === true
    const call = this.#stage.callsOf(process)
    const health = this.#healthOf(process)
    const worker = createDeliveries({
      destination,
      store: this.#storeOf(process),
      events: { find: ({ eventId }) => call('find', async () => this.#stored.get(eventId)) },
      circuit: createCircuit(health, destination.name, process.clock),
      carrier: this.#carrierOf(process, hint),
      queue: this.#queueOf(process),
      wait: async () => undefined,
      clock: process.clock,
      ids: { ordered: () => BigInt(++this.#ids), unique: () => `owner-${++this.#ids}` },
      random: () => this.#stage.random.next(),
      deaths: UNTOLD,
      metrics: UNCOUNTED,
      log: SILENT,
    })
    return deliveriesOf(async () => worker, SILENT)
      .receive(JSON.stringify(hint))
      .then((outcome) => {
        const drops = outcome === 'held' && process.saw === 'DISABLED'
        if (drops && this.#has('a disabled destination drops what comes'))
          void this.#memory.store.abandon(hint, process.clock.now(), 'dropped')
      })
  }

  #carrierOf(process: Worker, hint: DeliveryHint): Carrier {
    const call = this.#stage.callsOf(process)
    const name = `${hint.eventId} to ${hint.destination}`
    return {
      carry: async (_parcel: Parcel): Promise<DeliveryAnswer> => {
        this.#stage.count('runs')
        this.#stage.count('tries of deliveries')
        this.#judge.called(
          { name, destination: hint.destination, isProbe: process.isProbe === true, saw: process.saw },
          this.#memory.find(hint),
        )
        const manner = this.#manners[Number(hint.destination.slice(1))]?.shift() ?? 'takes'
        try {
          return await call('carry', async () => this.#answer(manner, name, hint.destination))
        } catch {
          return { kind: 'failed', answer: 'timed out' }
        }
      },
    }
  }

  #answer(manner: Manner, name: string, destination: string): DeliveryAnswer {
    this.#stage.trace(`  ${name}: the destination ${manner}`)
    if (manner === 'takes' || manner === 'hangs') this.#judge.taken(name)
    if (manner === 'gone') this.#stage.later(MENDED_AFTER, () => this.#do('enable', destination))
    switch (manner) {
      case 'takes':
        return { kind: 'delivered', answer: 'HTTP 204' }
      case 'hangs':
        return { kind: 'failed', answer: 'timed out' }
      case 'fails':
        return { kind: 'failed', answer: 'HTTP 500' }
      case 'busy':
        return { kind: 'failed', answer: 'HTTP 429', isBusy: true, retryAfter: 90_000 }
      case 'gone':
        return { kind: 'failed', answer: 'HTTP 410', isGone: true }
    }
  }

  // The scan and the operators.

  #scanLater(milliseconds: number): void {
    this.#stage.scheduler.after(milliseconds, () => {
      this.#scanIfNeeded()
      if (this.#stage.random.chance(DOUBLED_SCANS))
        this.#stage.later(this.#stage.random.between(0, 1000), () => this.#scanIfNeeded())
      this.#scanLater(MINUTE)
    })
  }

  #scanIfNeeded(): void {
    if ([...this.#memory.rows.values()].some(({ delivery }) => !isFinal(delivery))) this.#scan()
  }

  #scan(): void {
    const process = this.#stage.process('sweep')
    const call = this.#stage.callsOf(process)
    const { due } = this.#memory
    const seen: DueDeliveries = {
      dueBy: async function* (name, now) {
        yield* await call('query', () => pagesOf(due.dueBy(name, now)))
      },
      postponeScan: (...given) => call('postpone', () => due.postponeScan(...given)),
      waiting: (name) => due.waiting(name),
    }
    const queue = this.#queueOf(process)
    const parts = {
      destinations: this.#destinations,
      due: seen,
      health: this.#healthOf(process),
      queue: {
        send: (hint: DeliveryHint, delayMs: number) => {
          this.#judge.hinted(`${hint.eventId} to ${hint.destination}`, hint)
          return queue.send(hint, delayMs)
        },
      },
      clock: process.clock,
      store: this.#storeOf(process),
      deaths: UNTOLD,
      metrics: UNCOUNTED,
      log: SILENT,
    }
    const deadline = new Date(process.clock.now().getTime() + MINUTE)
    scanDeliveries(parts, deadline).catch(() => undefined)
    if (this.#has('what waits for a removed destination is forgotten')) return
    const names = new Set(this.#destinations.map(({ name }) => name))
    endRemoved({ ...parts, names }, deadline).catch(() => undefined)
  }

  #do(deed: Deed, name: string): void {
    this.#stage.trace(`${deed} ${name}`)
    const at = new Date(this.#stage.scheduler.now)
    const { healthStore, desk, rows } = this.#memory
    if (deed === 'remove') {
      void healthStore.change(name, (present) => present)
      const rest = this.#destinations.filter((destination) => destination.name !== name)
      this.#destinations = rest
      this.#stage.later(this.#stage.random.between(0, SLOWEST_DEPLOYMENT), () => {
        this.#known = rest
      })
    }
    if (deed === 'disable') {
      this.#judge.stopped(name)
      void healthStore.change(name, (present) => disabled(present, { ...ORDER, at }))
      this.#stage.later(MENDED_AFTER, () => this.#do('enable', name))
    }
    if (deed === 'enable') void healthStore.change(name, (present) => enabled(present, { ...ORDER, at }))
    const own = [...rows.values()].filter(({ delivery }) => delivery.destination === name)
    if (deed === 'order' && own.length > 0 && this.#destinations.some((one) => one.name === name)) {
      void desk.order(this.#stage.random.pick(own).delivery, { ...ORDER, at })
    }
  }
}

function eventOf(index: number): WebhookEvent {
  const payload = Buffer.from(`event-${index}`)
  const payloadSha256 = createHash('sha256').update(payload).digest('hex')
  return failedEvent({ eventId: `event-${index}`, payload, payloadSha256, status: 'PROCESSED', nextRetryAt: undefined })
}

function rowsOf({ receivedAt }: WebhookEvent, destinations: readonly Destination[]) {
  return destinations.map(({ name }) => ({ destination: name, sweepAt: new Date(receivedAt.getTime() + 40_000) }))
}

function nameOf({ eventId, destination }: Delivery): string {
  return `${eventId} to ${destination}`
}

function isFinal({ status }: Delivery): boolean {
  return status === 'DELIVERED' || status === 'DEAD'
}
