import type { RingKey } from '../runtime/settings/key-ring.ts'
import type { ChainHead } from './head.ts'
import { isSealed, type ReadLine, readLine } from './line.ts'

/** A line and the place where it was found. */
export interface FoundLine {
  readonly text: string
  /** The log stream; each chain has its own. */
  readonly stream?: string | undefined
}

/** The state of a chain after the lines that were read. */
export interface SeenChain {
  readonly first: number
  readonly last: number
  /** The MAC that the next line must name; undefined after a changed line. */
  readonly mac: string | undefined
  /** How many lines no head covers yet. */
  readonly beyond: number
}

/** What is wrong with a line. */
interface LineFinding {
  /** Undefined where the line does not show it. */
  readonly chain?: string
  readonly seq?: number
  readonly what: string
}

interface SeenChains {
  /** Checks the next line. @returns its faults */
  see(line: FoundLine): LineFinding | undefined
  readonly chains: ReadonlyMap<string, SeenChain>
  /** The chains that another one names as its predecessor. */
  readonly named: ReadonlySet<string>
}

/** Checks the chains line by line; of each chain it remembers only the last line. */
export function seenChains(keys: readonly RingKey[], heads: ReadonlyMap<string, ChainHead>): SeenChains {
  const chains = new Map<string, SeenChain>()
  const named = new Set<string>()

  /** Counts a faulty line as the line that belongs there, so that the next one does not count as misplaced as well. */
  function stepOver({ chain, seq }: ReadLine): void {
    const before = chains.get(chain)
    if (before && seq === before.last + 1) chains.set(chain, { ...before, last: seq, mac: undefined })
    if (!before && seq === 1 && heads.has(chain)) chains.set(chain, { first: 1, last: 1, mac: undefined, beyond: 0 })
  }

  function step(line: ReadLine): string | undefined {
    const before = chains.get(line.chain)
    const misplaced = misplacedIn(line, before)
    if (before && line.seq <= before.last) return misplaced
    if (line.after !== undefined) named.add(line.after)
    const head = heads.get(line.chain)
    chains.set(line.chain, advanced(line, before, head))
    return misplaced ?? otherThan(line, head)
  }

  return {
    chains,
    named,
    see({ text, stream }) {
      const line = readLine(text)
      if (!line) return { what: 'is no line of the trail' }
      const fault = faultOf(line, keys, stream)
      if (fault !== undefined) stepOver(line)
      const what = fault ?? step(line)
      return what === undefined ? undefined : { chain: line.chain, seq: line.seq, what }
    },
  }
}

function advanced({ seq, mac }: ReadLine, before: SeenChain | undefined, head: ChainHead | undefined): SeenChain {
  const { first = seq, beyond = 0 } = before ?? {}
  return { first, last: seq, mac, beyond: head && seq > head.seq ? beyond + 1 : beyond }
}

function otherThan({ seq, mac }: ReadLine, head: ChainHead | undefined): string | undefined {
  return head?.seq === seq && head.mac !== mac ? 'is another line than the one that the head names' : undefined
}

/** The faults of a line by itself. */
function faultOf(line: ReadLine, keys: readonly RingKey[], stream: string | undefined): string | undefined {
  const sealed = isSealed(line, keys)
  if (sealed === undefined) return `is sealed with the key "${line.kid}", which AUDIT_KEYS does not have`
  if (!sealed) return 'was changed, or made by somebody without the key'
  return stream !== undefined && stream !== line.chain ? `stands in the stream of another chain, ${stream}` : undefined
}

/** The faults of its place after the lines before it. */
function misplacedIn({ seq, prev }: ReadLine, before: SeenChain | undefined): string | undefined {
  if (before === undefined) return seq === 1 && prev !== '' ? 'names a line before the first one' : undefined
  const next = before.last + 1
  if (seq < next) return `comes after line ${before.last}: it is there twice, or not where it was written`
  if (seq > next) return `follows line ${before.last}: ${missing(next, seq - 1)}`
  return before.mac !== undefined && before.mac !== prev ? 'does not follow the line that it names' : undefined
}

export function missing(from: number, to: number): string {
  return from === to ? `line ${from} is missing` : `lines ${from} to ${to} are missing`
}
