import type { RingKey } from '../runtime/settings/key-ring.ts'
import { type ChainHead, isHeadSealed, isNewestSealed, type NewestChain } from './head.ts'
import { type FoundLine, missing, type SeenChain, seenChains } from './seen-chains.ts'

/** The known ends of chains, read before the lines. */
export interface KnownHeads {
  readonly heads: readonly ChainHead[]
  /** Undefined if no chain was ever started. */
  readonly newest: NewestChain | undefined
  /** The present head of a chain, which may have started after the others were read. */
  find(chain: string): Promise<ChainHead | undefined>
}

export interface TrailFinding {
  /** Undefined where the line does not show it. */
  readonly chain?: string | undefined
  readonly seq?: number | undefined
  /** The number of the line among all of them, from 1; undefined for a missing line. */
  readonly line?: number | undefined
  readonly what: string
}

export interface Verified {
  readonly findings: readonly TrailFinding[]
  readonly lines: number
  readonly chains: number
  /** Lines that no head covers yet: the process ended before it could move its head. They are authentic. */
  readonly beyond: number
}

interface VerifyParts {
  readonly keys: readonly RingKey[]
  /** Without them the ends of chains are unknown. */
  readonly known?: KnownHeads | undefined
  /** Earlier lines may be deleted. */
  readonly horizon?: Date | undefined
}

/**
 * Reads the lines once, in the order of each chain, and reports which were removed, changed, moved, repeated or forged.
 * `docs/decisions/0036-audit-trail.md` says what it cannot detect.
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

/** Chains without a head of which there are lines, or which another chain or the table names. */
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
