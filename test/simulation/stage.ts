import type { Log } from '../../lib/runtime/log.ts'
import type { Metrics } from '../../lib/runtime/metrics.ts'
import { START } from '../support/fakes/clock.ts'
import { forked, type Random, seeded } from '../support/random.ts'
import { type Fault, faultOf, WEATHERS, type Weather, type WeatherName } from './faults.ts'
import { Network, type Process } from './process.ts'
import { Scheduler } from './scheduler.ts'

export const SILENT: Log = { info: () => {}, warn: () => {}, error: () => {} }
export const UNCOUNTED: Metrics = { count() {}, measure() {} }

interface StageParts {
  readonly seed: number
  readonly weather: WeatherName
  /** When the weather clears up, and when all has to be over, in milliseconds. */
  readonly clear: number
  readonly end: number
  /** Instead of the weather: the fault of each call, by its number. */
  readonly faultAt?: ((call: number) => Fault | undefined) | undefined
  readonly trace?: ((line: string) => void) | undefined
}

/** What every world has around the code under test: time, chance, weather, processes and their messages. */
export class Stage {
  readonly random: Random
  readonly scheduler = new Scheduler(START)
  readonly counts: Record<string, number> = {}
  /** By the number of a call what happened to it. */
  readonly faults: Record<string, Fault> = {}
  readonly #parts: StageParts
  /** Decides on the faults of calls and nothing else: a world stays the same with these faults given. */
  readonly #misfortune: Random
  readonly #weather: Weather
  readonly #network: Network
  #calls = 0
  #pending = 0

  constructor(parts: StageParts) {
    this.#parts = parts
    const random = seeded(parts.seed)
    this.random = forked(random)
    this.#misfortune = forked(random)
    this.#weather = WEATHERS[parts.weather]
    this.#network = new Network(this.scheduler, this.random, (name) => this.#faultFor(name))
  }

  /** Until all is over and settled, or too late. */
  async run(isSettled: () => boolean): Promise<void> {
    const isOver = () => this.#isAfter(this.#parts.end) || (this.#pending === 0 && isSettled())
    // Errors without their stacks, which a world throws by the dozen and nobody reads.
    const before = Error.stackTraceLimit
    Error.stackTraceLimit = 0
    try {
      await this.scheduler.run(isOver)
    } finally {
      Error.stackTraceLimit = before
    }
  }

  /** Something that has to happen before the world can be over. */
  later(milliseconds: number, act: () => void): void {
    this.#pending += 1
    this.scheduler.after(milliseconds, () => {
      this.#pending -= 1
      act()
    })
  }

  trace(line: string): void {
    this.#parts.trace?.(`${new Date(this.scheduler.now).toISOString()} ${line}`)
  }

  count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1
  }

  process(kind: Process['kind']): Process {
    const { skew } = this.#weather
    const offset = skew === 0 ? 0 : this.random.between(-skew, skew)
    return { kind, isDead: false, clock: { now: () => new Date(this.scheduler.now + offset) } }
  }

  /** Makes the calls of a process, with all that may happen to them. */
  callsOf(process: Process) {
    return <T>(name: string, apply: () => Promise<T>) => this.#network.call(process, name, apply)
  }

  /** Sends again until it is acknowledged, as often as there are tries. */
  insist(accepting: Promise<unknown>, tries: number, again: (tries: number) => void): void {
    let isAcknowledged = false
    accepting.then(
      () => {
        isAcknowledged = true
      },
      () => {},
    )
    if (tries <= 1) return
    this.later(this.random.between(160_000, 1_800_000), () => {
      if (!isAcknowledged) again(tries - 1)
    })
  }

  /** A message on its way, with all that may happen to it. */
  post({ kind }: Process, delay: number, arrive: () => void): void {
    const { lost, doubled, late, onlySweep } = this.#isAfter(this.#parts.clear)
      ? WEATHERS.calm.post
      : { onlySweep: false, ...this.#weather.post }
    this.count('messages')
    if (this.random.chance(lost) || (onlySweep && kind !== 'sweep')) {
      this.count('messages lost')
      return
    }
    const copies = this.random.chance(doubled) ? this.random.between(2, 5) : 1
    for (let copy = 0; copy < copies; copy++) {
      const extra = this.random.chance(late) ? this.random.between(1000, 600_000) : this.random.between(5, 300)
      this.later(delay + extra, arrive)
    }
    if (copies > 1) this.count('messages doubled')
  }

  /** Gives a message to a worker, and again after the visibility timeout when it was not done with; at most five times. */
  deliver(visibility: number, work: () => Promise<unknown> | undefined, receive = 1): void {
    let isDone = false
    const working = work()
    working?.then(
      () => {
        isDone = true
      },
      () => {},
    )
    if (!working) return
    this.later(visibility, () => {
      if (!isDone && receive < 5) this.deliver(visibility, work, receive + 1)
    })
  }

  #isAfter(milliseconds: number): boolean {
    return this.scheduler.now - START.getTime() > milliseconds
  }

  #faultFor(name: string): Fault | undefined {
    const number = this.#calls++
    this.count('calls')
    const { faultAt } = this.#parts
    const fault = faultAt ? faultAt(number) : this.#drawnFault(name)
    if (fault) {
      this.count(fault)
      this.faults[number] = fault
    }
    this.trace(`${name}${fault ? ` (${fault})` : ''}`)
    return fault
  }

  #drawnFault(name: string): Fault | undefined {
    const isSpared = this.#weather.sparesRelease && name === 'release'
    const isClear = this.#isAfter(this.#parts.clear)
    return isSpared || isClear ? undefined : faultOf(this.#weather.calls, this.#misfortune)
  }
}

export async function pagesOf<T>(pages: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const page of pages) all.push(page)
  return all
}
