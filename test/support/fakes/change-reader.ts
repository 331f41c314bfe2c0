import type { EventChange } from '../../../lib/webhooks/live/cursor.ts'
import type { ChangeReader } from '../../../lib/webhooks/live/feed.ts'

/** An index of the last change of each event, in pages of three. */
export class MemoryChangeReader implements ChangeReader {
  readonly #changes = new Map<string, EventChange>()
  /** What is thrown instead of an answer. */
  failure: unknown

  put(change: EventChange): void {
    this.#changes.set(`${change.source}\0${change.eventId}`, change)
  }

  async after(position: bigint) {
    if (this.failure !== undefined) throw this.failure
    const found = Array.from(this.#changes.values())
      .filter(({ changeId }) => BigInt(changeId) > position)
      .sort((one, other) => (BigInt(one.changeId) < BigInt(other.changeId) ? -1 : 1))
    const changes = found.slice(0, 3)
    const last = changes.at(-1)
    return { changes, upTo: found.length > changes.length && last ? BigInt(last.changeId) : undefined }
  }
}
