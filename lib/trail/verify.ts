import type { RingKey } from '../runtime/settings/key-ring.ts'
import { type ChainHead, isHeadSealed, isNewestSealed, type NewestChain } from './head.ts'
import { type FoundLine, missing, type SeenChain, seenChains } from './seen-chains.ts'

/** What is known of the ends of chains; read before the lines. */
export interface KnownHeads {
  readonly heads: readonly ChainHead[]
  /** Undefined if no chain was ever opened. */
  readonly newest: NewestChain | undefined
  /** The head as it is now: a chain may have been opened since. */
  find(chain: string): Promise<ChainHead | undefined>
}

export interface TrailFinding {
  /** Undefined where that cannot be told. */
  readonly chain?: string | undefined
  readonly seq?: number | undefined
  /** The number of the line among all of them, from 1; undefined for what is not there. */
  readonly line?: number | undefined
  readonly what: string
}

export interface Verified {
  readonly findings: readonly TrailFinding[]
  readonly lines: number
  readonly chains: number
  /** Lines that no head covers yet: a process ended, or was about to move its head. They are authentic. */
  readonly beyond: number
}

interface VerifyParts {
  readonly keys: readonly RingKey[]
  /** Without them nobody knows where chains end. */
  readonly known?: KnownHeads | undefined
  /** Lines from before may be gone. */
  readonly horizon?: Date | undefined
}

/**
 * Reads the lines once, in the order of each chain, and says what was removed, changed, moved, doubled or forged. What it
 * cannot see: `docs/decisions/0036-audit-trail.md`.
 */
export async function verifyTrail(lines: AsyncIterable<FoundLine>, parts: VerifyParts): Promise<Verified> {
  const { keys, known, horizon } = parts
  const heads = new Map(known?.heads.map((head) => [head.chain, head]))
  const { see, chains, named } = seenChains(keys, heads)
  const findings: TrailFinding[] = []
  let count = 0
  for await (const line of lines) {
    count += 1
    const found = see(line)
    if (found) findings.push({ line: count, ...found })
  }
  findings.push(...missingBeginnings(chains, heads, horizon), ...missingEnds(chains, heads, horizon))
  if (known) findings.push(...(await missingHeads(chains, named, known)), ...badHeads(known, keys))
  return {
    findings,
    lines: count,
    chains: new Set([...chains.keys(), ...heads.keys()]).size,
    beyond: [...chains.values()].reduce((sum, { beyond }) => sum + beyond, 0),
  }
}

type Heads = ReadonlyMap<string, ChainHead>
type Chains = ReadonlyMap<string, SeenChain>

function missingBeginnings(chains: Chains, heads: Heads, horizon = new Date(0)): readonly TrailFinding[] {
  return [...chains].flatMap(([chain, { first }]) => {
    const isExpired = (heads.get(chain)?.openedAt ?? horizon) < horizon
    return first === 1 || isExpired ? [] : [{ chain, seq: first, what: `is the first one: ${missing(1, first - 1)}` }]
  })
}

function missingEnds(chains: Chains, heads: Heads, horizon = new Date(0)): readonly TrailFinding[] {
  return [...heads.values()].flatMap(({ chain, seq, at }) => {
    const last = chains.get(chain)?.last ?? 0
    const isExpired = last === 0 && at < horizon
    return last >= seq || isExpired ? [] : [{ chain, seq, what: `was the last one: ${missing(last + 1, seq)}` }]
  })
}

/** Chains of which there are lines, or which another one or the table names, but no head. */
async function missingHeads(
  chains: Chains,
  named: ReadonlySet<string>,
  { heads, newest, find }: KnownHeads,
): Promise<readonly TrailFinding[]> {
  const present = new Set(heads.map(({ chain }) => chain))
  const wanted = new Set([...chains.keys(), ...named, ...(newest ? [newest.chain] : [])])
  const without = [...wanted].filter((chain) => !present.has(chain))
  const found = await Promise.all(without.map(find))
  return without
    .filter((_, index) => found[index] === undefined)
    .map((chain) => ({ chain, what: chains.has(chain) ? 'has no head any more' : 'is gone, with its head' }))
}

function badHeads({ heads, newest }: KnownHeads, keys: readonly RingKey[]): readonly TrailFinding[] {
  const forged = heads.filter((head) => !isHeadSealed(head, keys))
  const changed = 'has a head that was changed, or made by somebody without the key'
  return [
    ...forged.map(({ chain, seq }) => ({ chain, seq, what: changed })),
    ...(heads.length > 0 && !newest ? [{ what: 'The table does not say any more which chain is the newest' }] : []),
    ...(newest && !isNewestSealed(newest, keys) ? [{ chain: newest.chain, what: 'is falsely called the newest' }] : []),
  ]
}
