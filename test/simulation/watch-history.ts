import type { EventChange } from '../../lib/webhooks/live/cursor.ts'
import { type Random, seeded } from '../support/random.ts'
import { changeAt, nodeOf, pass, settle, Watcher, type WatchWorld, watchWorld } from '../support/watch-world.ts'
import { fewer } from './course.ts'
import type { Rules } from './kind.ts'

/** A change is in the index after so many milliseconds. */
type Step =
  | { readonly kind: 'change'; readonly event: number; readonly indexAfter: number }
  | { readonly kind: 'move'; readonly to: number }
  | { readonly kind: 'pass'; readonly milliseconds: number }

/** All that decides how a history of changes goes for who watches it. */
interface WatchCourse {
  readonly weather: 'watch'
  readonly steps: readonly Step[]
  /** How long each process remembers changes, in milliseconds. */
  readonly memory: number
  /** How long whoever watches takes for each notice, in milliseconds. */
  readonly pause: number
}

const PROCESSES = 3

const MAKE_STEP: readonly ((random: Random) => Step)[] = [
  ...Array.from({ length: 6 }, () => changeStep),
  ...Array.from({ length: 2 }, () => (random: Random) => ({ kind: 'move' as const, to: random.below(PROCESSES) })),
  ...Array.from({ length: 3 }, () => (random: Random) => ({
    kind: 'pass' as const,
    milliseconds: random.between(0, 9000),
  })),
]

function changeStep(random: Random): Step {
  return { kind: 'change', event: random.between(0, 5), indexAfter: random.between(0, 10_000) }
}

/** Three processes, events that change, and somebody who watches on the one or the other. */
class History {
  readonly told: string[] = []
  /** By event the number of its last change. */
  readonly last = new Map<string, number>()
  readonly counts: Record<string, number> = { 'changes watched': 0, 'watchers moved': 0 }
  readonly #world: WatchWorld
  readonly #trace: (line: string) => void
  readonly #indexed = new Map<string, bigint>()
  readonly #rest: () => Promise<void>
  #watcher: Watcher
  #changes = 0

  constructor(world: WatchWorld, pause: number, trace: (line: string) => void) {
    this.#world = world
    this.#trace = trace
    this.#rest = () =>
      pause === 0 ? Promise.resolve() : new Promise((resolve) => world.time.timers.after(pause, resolve))
    const { watch, feed } = nodeOf(world.nodes, 0)
    this.#watcher = new Watcher(watch, feed.cursor(), this.#rest)
  }

  async take(step: Step): Promise<void> {
    this.#trace(`${this.#world.time.clock.now().toISOString()} ${JSON.stringify(step)}`)
    if (step.kind === 'change') this.#change(`event-${step.event}`, step.indexAfter)
    else if (step.kind === 'move') this.#move(step.to)
    else await pass(this.#world.time, step.milliseconds)
    await settle()
  }

  async end(): Promise<void> {
    await pass(this.#world.time, 200_000)
    this.#leave()
  }

  #change(eventId: string, indexAfter: number): void {
    const { time } = this.#world
    this.#changes += 1
    const change = changeAt(time, eventId, `${this.#changes}`)
    this.last.set(eventId, this.#changes)
    this.#count('changes watched')
    time.timers.after(indexAfter, () => this.#index(change))
    time.pass(1)
  }

  /** An index never goes back to an earlier state of a row. */
  #index(change: EventChange): void {
    const position = BigInt(change.changeId)
    if (position <= (this.#indexed.get(change.eventId) ?? 0n)) return
    this.#indexed.set(change.eventId, position)
    this.#world.reader.put(change)
  }

  #move(to: number): void {
    this.#leave()
    this.#count('watchers moved')
    this.#watcher = new Watcher(nodeOf(this.#world.nodes, to).watch, this.#watcher.cursor, this.#rest)
  }

  #leave(): void {
    this.#watcher.stop()
    this.#trace(`told: ${this.#watcher.told.join(', ')}`)
    this.told.push(...this.#watcher.told)
  }

  #count(what: string): void {
    this.counts[what] = (this.counts[what] ?? 0) + 1
  }
}

/** Histories in which indexes are late, and whoever watches moves to a process where nobody did, and resumes. */
export const WATCH: Rules<WatchCourse> = {
  draw(seed) {
    const random = seeded(seed)
    const steps = Array.from({ length: random.between(0, 25) }, () => random.pick(MAKE_STEP)(random))
    return { weather: 'watch', steps, memory: random.pick([0, 5000, 300_000]), pause: random.pick([0, 700, 4000]) }
  },

  async live(course, { trace = () => {} } = {}) {
    const history = new History(await watchWorld(PROCESSES, course.memory, false), course.pause, trace)
    await settle()
    for (const step of course.steps) await history.take(step)
    await history.end()
    const violations = [...history.last].flatMap(([eventId, last]) => [...wrongIn(toldOf(eventId, history.told), last)])
    return { course, violations: [...new Set(violations)], counts: history.counts }
  },

  *smaller(course) {
    for (const steps of fewer(course.steps)) yield { ...course, steps }
    if (course.memory > 0) yield { ...course, memory: 0 }
    if (course.pause > 0) yield { ...course, pause: 0 }
  },
}

/** The numbers of an event's changes, in the order in which they were told. */
function toldOf(eventId: string, told: readonly string[]): readonly number[] {
  return told.map((each) => each.split(' ')).flatMap(([name, number]) => (name === eventId ? [Number(number)] : []))
}

function* wrongIn(numbers: readonly number[], last: number): Generator<string> {
  if (numbers.at(-1) !== last) yield 'the last change of an event was not told last'
  if (new Set(numbers).size < numbers.length) yield 'a change was told twice'
  if (numbers.some((number, index) => number < (numbers[index - 1] ?? 0))) yield 'a change was told after a later one'
}
