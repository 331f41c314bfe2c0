import type { LoginTrail } from '../../../lib/auth/login-trail.ts'
import { unavailable } from '../../../lib/errors.ts'
import type { Trail, TrailEntry } from '../../../lib/trail/entry.ts'
import type { ChainHead, NewestChain } from '../../../lib/trail/head.ts'
import type { SealedLine } from '../../../lib/trail/line.ts'
import type { FoundLine } from '../../../lib/trail/seen-chains.ts'
import type { TrailHeads, TrailSink } from '../../../lib/trail/trail.ts'
import type { KnownHeads } from '../../../lib/trail/verify.ts'

/** Keeps what is recorded; while it is down, nothing is. */
export interface RecordingTrail extends Trail {
  readonly entries: readonly TrailEntry[]
  isDown: boolean
}

export function recordingTrail(): RecordingTrail {
  const entries: TrailEntry[] = []
  return {
    entries,
    isDown: false,
    async record(entry) {
      if (this.isDown) throw unavailable(new Error('the trail is down'))
      entries.push(entry)
    },
  }
}

/** Keeps the logins that are recorded, each with what was given. */
export interface RecordingLogins extends LoginTrail {
  readonly recorded: readonly (readonly unknown[])[]
}

export function recordingLogins(): RecordingLogins {
  const recorded: unknown[][] = []
  const keep =
    (kind: string) =>
    async (...given: unknown[]) =>
      void recorded.push([kind, ...given])
  return { recorded, accepted: keep('accepted'), refused: keep('refused'), ended: keep('ended') }
}

/** A log group and a table in memory. */
export class MemoryTrail implements TrailSink, TrailHeads {
  readonly lines: FoundLine[] = []
  readonly heads = new Map<string, ChainHead>()
  newest: NewestChain | undefined
  /** The appends, by the number of their lines. */
  readonly appends: number[] = []
  /** Fails the next writes: before or after they have done their work. */
  readonly faults: ('lost' | 'late' | 'head')[] = []

  async begin(): Promise<void> {}

  async open(newest: NewestChain): Promise<string | undefined> {
    const before = this.newest?.chain
    this.newest = newest
    return before
  }

  async append(chain: string, lines: readonly SealedLine[]): Promise<void> {
    const fault = this.faults[0] === 'head' ? undefined : this.faults.shift()
    if (fault === 'lost') throw new Error('not there')
    this.appends.push(lines.length)
    this.lines.push(...lines.map(({ text }) => ({ text, stream: chain })))
    if (fault === 'late') throw new Error('no answer')
  }

  async add(head: ChainHead): Promise<void> {
    this.heads.set(head.chain, head)
  }

  async advance(head: ChainHead, before: number): Promise<void> {
    if (this.faults[0] === 'head') {
      this.faults.shift()
      throw new Error('the table is down')
    }
    if (this.heads.get(head.chain)?.seq !== before) throw new Error('the head stands elsewhere')
    this.heads.set(head.chain, head)
  }

  known(): KnownHeads {
    return { heads: [...this.heads.values()], newest: this.newest, find: async (chain) => this.heads.get(chain) }
  }
}
