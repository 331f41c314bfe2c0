import { unavailable } from '../../../lib/errors.ts'
import type { MessageRow, MessageStore } from '../../../lib/messages/message.ts'

/** Rows in memory; the last one of a time, writer and number counts. */
export class MemoryMessages implements MessageStore {
  rows: readonly MessageRow[] = []
  reads = 0
  isDown = false

  async put(row: MessageRow): Promise<void> {
    this.#reach()
    this.rows = [...this.rows, row].sort((one, other) => one.at - other.at || one.number - other.number)
  }

  async since(from: number, _: number, own: string): Promise<readonly MessageRow[]> {
    this.reads += 1
    this.#reach()
    return this.rows.filter(({ at, origin }) => at >= from && origin !== own)
  }

  #reach(): void {
    if (this.isDown) throw unavailable(new Error('the store is down'))
  }
}
