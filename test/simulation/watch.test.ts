import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EventChange } from '../../lib/webhooks/change-feed.ts'
import { changeAt, nodeOf, pass, settle, Watcher, type WatchWorld, watchWorld } from '../support/watch-world.ts'

/** When the index shows a change, and which process hears of it when: never, once or more often. */
interface Fate {
  readonly indexAfter: number
  readonly hints: readonly { readonly to: number; readonly after: number }[]
}

type Step =
  | { readonly kind: 'change'; readonly event: number; readonly fate: Fate }
  | { readonly kind: 'move'; readonly to: number }
  | { readonly kind: 'pass'; readonly milliseconds: number }

const fate = fc.record({
  indexAfter: fc.nat(10_000),
  hints: fc.array(fc.record({ to: fc.nat(2), after: fc.nat(20_000) }), { maxLength: 4 }),
})

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('change' as const), event: fc.nat(5), fate }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('move' as const), to: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pass' as const), milliseconds: fc.nat(9000) }) },
)

/** Three processes, events that change, and somebody who watches on the one or the other. */
class History {
  readonly told: string[] = []
  /** By event the number of its last change. */
  readonly last = new Map<string, number>()
  readonly #world: WatchWorld
  readonly #indexed = new Map<string, bigint>()
  readonly #rest: () => Promise<void>
  #watcher: Watcher
  #changes = 0

  /** @param pause how long whoever watches takes for each notice, in milliseconds */
  constructor(world: WatchWorld, pause: number) {
    this.#world = world
    this.#rest = () =>
      pause === 0 ? Promise.resolve() : new Promise((resolve) => world.time.timers.after(pause, resolve))
    const { watch, feed } = nodeOf(world.nodes, 0)
    this.#watcher = new Watcher(watch, feed.cursor(), this.#rest)
  }

  async take(step: Step): Promise<void> {
    if (step.kind === 'change') this.#change(`event-${step.event}`, step.fate)
    else if (step.kind === 'move') this.#move(step.to)
    else await pass(this.#world.time, step.milliseconds)
    await settle()
  }

  async end(): Promise<void> {
    await pass(this.#world.time, 200_000)
    this.#leave()
  }

  #change(eventId: string, { indexAfter, hints }: Fate): void {
    const { time, nodes } = this.#world
    this.#changes += 1
    const change = changeAt(time, eventId, `${this.#changes}`)
    this.last.set(eventId, this.#changes)
    time.timers.after(indexAfter, () => this.#index(change))
    for (const { to, after } of hints) time.timers.after(after, () => nodeOf(nodes, to).feed.hear(change))
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
    this.#watcher = new Watcher(nodeOf(this.#world.nodes, to).watch, this.#watcher.cursor, this.#rest)
  }

  #leave(): void {
    this.#watcher.stop()
    this.told.push(...this.#watcher.told)
  }
}

/** The numbers of an event's changes, in the order in which they were told. */
function toldOf(eventId: string, told: readonly string[]): readonly number[] {
  return told.map((each) => each.split(' ')).flatMap(([name, number]) => (name === eventId ? [Number(number)] : []))
}

describe('Q17 hints and indexes may be late, hints lost or doubled', () => {
  it('whoever resumes is told the last change of every event, none twice and none after a later one', async () => {
    const steps = fc.array(step, { maxLength: 25 })
    const memory = fc.constantFrom(0, 5000, 300_000)
    await fc.assert(
      fc.asyncProperty(steps, memory, fc.constantFrom(0, 700, 4000), async (taken, remembered, pause) => {
        const history = new History(await watchWorld(3, remembered), pause)
        await settle()
        for (const each of taken) await history.take(each)
        await history.end()
        for (const [eventId, last] of history.last) {
          const numbers = toldOf(eventId, history.told)
          expect(numbers.at(-1)).toBe(last)
          expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other))
        }
      }),
      { numRuns: 1500 },
    )
  })
})
