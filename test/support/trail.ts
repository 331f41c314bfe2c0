import type { TrailEntry } from '../../lib/trail/entry.ts'
import { createTrail } from '../../lib/trail/trail.ts'
import { verifyTrail } from '../../lib/trail/verify.ts'
import { fixedClock } from './fakes/clock.ts'
import { MemoryTrail } from './fakes/trail.ts'

export const TRAIL_KEY = { kid: 'k1', secret: Uint8Array.from({ length: 32 }, (_, index) => index) }

export const ENTRY: TrailEntry = {
  action: 'user.created',
  uid: 'id-1',
  user: 'Ada',
  authType: 'JWT',
  from: '192.0.2.1',
  requestId: 'r-1',
  target: { username: 'bob' },
}

/** Trails over one log group and table, each process with a chain of its own: `chain-1`, `chain-2` … */
export function trailWorld(keys = { current: [TRAIL_KEY] }) {
  const stored = new MemoryTrail()
  const clock = fixedClock()
  let chains = 0
  const newChain = () => `chain-${++chains}`
  const process = () => createTrail({ sink: stored, heads: stored, keys, clock, newChain })

  /** So many lines of a new process. */
  async function written(count: number): Promise<void> {
    const { record } = process()
    await Promise.all(Array.from({ length: count }, (_, index) => record({ ...ENTRY, requestId: `r-${index + 1}` })))
  }

  /** What verification says of these lines, or of those that are there. */
  const verify = (lines = stored.lines, horizon?: Date) =>
    verifyTrail(each(lines), { keys: keys.current, known: stored.known(), horizon })

  return { stored, clock, process, written, verify }
}

export async function* each<T>(items: readonly T[]): AsyncGenerator<T> {
  yield* items
}
