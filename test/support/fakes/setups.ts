import type { Setup, SetupOpener, SetupStore } from '../../../lib/webhooks/setup.ts'

/** Set-ups in memory; nothing clears away what is over. */
export class MemorySetups implements SetupStore, SetupOpener {
  readonly rows = new Map<string, Setup>()

  async open(source: string, until: Date): Promise<void> {
    this.rows.set(source, { state: 'open', until })
  }

  async read(source: string): Promise<Setup | undefined> {
    return this.rows.get(source)
  }

  async keep(source: string, handed: Parameters<SetupStore['keep']>[1]): Promise<boolean> {
    const row = this.rows.get(source)
    if (!row || handed.at >= row.until) return false
    if (row.state === 'received') return row.token === handed.token
    if (row.state === 'open') this.rows.set(source, { ...row, ...handed, state: 'received' })
    return row.state === 'open'
  }

  async end(source: string, now: Date): Promise<void> {
    const row = this.rows.get(source)
    if (row?.state === 'received' && now < row.until) this.rows.set(source, { state: 'conflict', until: row.until })
  }
}
