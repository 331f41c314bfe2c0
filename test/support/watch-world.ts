import { changeIdOf, type EventChange, WatchCursor } from '../../lib/webhooks/live/cursor.ts'
import { createLiveFeed, type LiveFeed } from '../../lib/webhooks/live/feed.ts'
import { createWatch, type Watch } from '../../lib/webhooks/live/watch.ts'
import { MemoryChangeReader } from './fakes/change-reader.ts'
import { type RecordingLog, recordingLog } from './fakes/log.ts'
import { type VirtualTime, virtualTime } from './fakes/timers.ts'

/** One process with its feed. */
export interface Node {
  readonly feed: LiveFeed
  readonly watch: Watch
}

export interface WatchWorld {
  readonly time: VirtualTime
  readonly reader: MemoryChangeReader
  readonly log: RecordingLog
  readonly nodes: readonly Node[]
}

/** Processes over one store. @param isWatched whether somebody watches each of them already */
export async function watchWorld(
  count = 1,
  memory = 0,
  isWatched = true,
): Promise<WatchWorld & { readonly node: Node }> {
  const time = virtualTime()
  const { clock, timers } = time
  const reader = new MemoryChangeReader()
  const log = recordingLog()
  const nodes = Array.from({ length: count }, () => {
    const feed = createLiveFeed({ reader, clock, timers, log, memory })
    return { feed, watch: createWatch({ feed, reader, timers }) }
  })
  for (const { feed } of isWatched ? nodes : []) {
    feed.join()
    await feed.ready()
  }
  return { time, reader, log, nodes, node: nodeOf(nodes, 0) }
}

export function nodeOf(nodes: readonly Node[], index: number): Node {
  const node = nodes[index]
  if (node) return node
  throw new Error('no such node')
}

/** Lets everything happen that waits for no timer. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve()
}

/** Lets time pass in steps in which everything else happens too. */
export async function pass(time: VirtualTime, milliseconds: number): Promise<void> {
  for (let left = milliseconds; left > 0; left -= 500) {
    time.pass(Math.min(500, left))
    await settle()
  }
}

/** A change that is made now. */
export function changeAt({ clock }: VirtualTime, eventId: string, status = 'PROCESSED'): EventChange {
  const now = clock.now()
  const changeId = changeIdOf({ source: 'test', eventId }, now).toString()
  return { changeId, id: '1', source: 'test', eventId, eventType: 'TEST', status, receivedAt: now.toISOString() }
}

/** Somebody who watches and keeps what was said: `eventId status`. */
export class Watcher {
  readonly told: string[] = []
  cursor: string | undefined
  quiet = 0
  failure: unknown
  readonly #abort = new AbortController()
  readonly #rest: () => Promise<void>

  /** @param rest what it does after each notice */
  constructor(watch: Watch, cursor?: string, rest = async () => {}) {
    this.cursor = cursor
    this.#rest = rest
    void this.#run(watch(cursor === undefined ? undefined : WatchCursor.read(cursor), this.#abort.signal))
  }

  stop(): void {
    this.#abort.abort()
  }

  async #run(notices: ReturnType<Watch>): Promise<void> {
    try {
      for await (const { change, cursor } of notices) {
        if (this.#abort.signal.aborted) return
        this.cursor = cursor
        if (change) this.told.push(`${change.eventId} ${change.status}`)
        else this.quiet += 1
        await this.#rest()
      }
    } catch (error) {
      this.failure = error
    }
  }
}
