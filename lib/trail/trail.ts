import { unavailable } from '../errors.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Current } from '../runtime/current.ts'
import type { RingKey } from '../runtime/settings/key-ring.ts'
import type { Trail, TrailEntry } from './entry.ts'
import { type ChainHead, type NewestChain, sealHead, sealNewest } from './head.ts'
import { type SealedLine, sealLine } from './line.ts'

/** Where lines go. */
export interface TrailSink {
  /** Must run before the first line of a chain. @throws Error */
  begin(chain: string): Promise<void>
  /** Appends all of them. After an error, some or all of them may be stored. @throws Error */
  append(chain: string, lines: readonly SealedLine[]): Promise<void>
}

/** Where the heads of the chains are. */
export interface TrailHeads {
  /** Adds the head of a chain that has no lines yet. @throws ServiceError `UNAVAILABLE`; Error if there is one */
  add(head: ChainHead): Promise<void>
  /** Notes which chain is the newest. @returns the one before it. @throws ServiceError `UNAVAILABLE` */
  open(newest: NewestChain): Promise<string | undefined>
  /** Replaces the head that stands at a number. @throws ServiceError `UNAVAILABLE`; Error if it stands elsewhere */
  advance(head: ChainHead, before: number): Promise<void>
}

export interface TrailParts {
  readonly sink: TrailSink
  readonly heads: TrailHeads
  /** The first one seals. */
  readonly keys: Current<readonly RingKey[]>
  readonly clock: Clock
  /** Names a chain; never the same twice. */
  readonly newChain: () => string
}

interface OpenChain {
  readonly chain: string
  readonly seq: number
  readonly mac: string
  /** Of the last line. */
  readonly at: Date
  readonly openedAt: Date
  readonly after?: string | undefined
}

interface Waiting extends PromiseWithResolvers<void> {
  readonly entry: TrailEntry
}

/** CloudWatch Logs takes 10,000 lines at once, and 1 MB; a line has at most some KB. */
const MAXIMUM_BATCH = 100

/**
 * The lines of one process, each sealed over the one before. One write is under way at a time; the next one takes all
 * lines that arrive meanwhile. After a failed write it is unknown which lines are stored, so its chain ends there, and
 * the next line starts another.
 */
export function createTrail({ sink, heads, keys, clock, newChain }: TrailParts): Trail {
  const waiting: Waiting[] = []
  let open: OpenChain | undefined
  let isWriting = false

  function sealing(): RingKey {
    const [key] = keys.current
    if (!key) throw new Error('the trail has no key')
    return key
  }

  async function begin(): Promise<OpenChain> {
    const at = clock.now()
    const chain = newChain()
    // Before anything names it: a chain without lines is whole only if its head says that it has none.
    await heads.add(sealHead({ chain, seq: 0, mac: '', at, openedAt: at }, sealing()))
    const [after] = await Promise.all([heads.open(sealNewest({ chain, at }, sealing())), sink.begin(chain)])
    return { chain, seq: 0, mac: '', at: new Date(0), openedAt: at, after }
  }

  async function extend(from: OpenChain, entries: readonly TrailEntry[]): Promise<OpenChain> {
    const key = sealing()
    const lines: SealedLine[] = []
    let last = from
    for (const entry of entries) {
      // Each a millisecond after the one before, at least, so that their times have their order.
      const at = new Date(Math.max(clock.now().getTime(), last.at.getTime() + 1))
      const after = last.seq === 0 ? last.after : undefined
      const sealed = sealLine({ chain: last.chain, seq: last.seq + 1, at, after, prev: last.mac }, entry, key)
      lines.push(sealed)
      last = { ...last, seq: last.seq + 1, mac: sealed.mac, at }
    }
    await sink.append(last.chain, lines)
    const { chain, seq, mac, at, openedAt } = last
    await heads.advance(sealHead({ chain, seq, mac, at, openedAt }, key), from.seq)
    return last
  }

  async function write(batch: readonly Waiting[]): Promise<void> {
    try {
      open = await extend(
        open ?? (await begin()),
        batch.map(({ entry }) => entry),
      )
      for (const { resolve } of batch) resolve()
    } catch (cause) {
      open = undefined
      for (const { reject } of batch) reject(unavailable(cause))
    }
  }

  async function drain(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) await write(waiting.splice(0, MAXIMUM_BATCH))
    isWriting = false
  }

  return {
    record(entry) {
      const one = { entry, ...Promise.withResolvers<void>() }
      waiting.push(one)
      if (!isWriting) void drain()
      return one.promise
    },
  }
}
