import { signal } from '@preact/signals'
import { ask, type Response, wordsOf } from '../ask.ts'
import { isSessionOver } from '../session-call.ts'
import { place, refreshWithin } from './feed.ts'
import { type Filter, replayFilter } from './place.ts'

type Replay = Response<'replay'>

interface Order {
  readonly replayId: string
  readonly filter: object
}

/** The stages of running many events again. */
export type Stage =
  | { readonly kind: 'idle' }
  | { readonly kind: 'counting' }
  | { readonly kind: 'counted'; readonly order: Order; readonly matched: number }
  | { readonly kind: 'started'; readonly replay: Replay }

export const stage = signal<Stage>({ kind: 'idle' })

/** The last error of a replay. */
export const replayProblem = signal<string | undefined>(undefined)

/** The polling interval of the progress, in milliseconds. */
const POLL_MS = 1000

/** Whether a replay is possible: only failed events can run again. */
export function isReplayOffered({ status }: Filter): boolean {
  return status === '' || status === 'FAILED'
}

/** Counts the failed events that match the filter. */
export async function count(): Promise<void> {
  stage.value = { kind: 'counting' }
  const order = { replayId: crypto.randomUUID(), filter: replayFilter(place.peek().filter) }
  await attempt(async () => {
    const { matched } = await send<{ matched: number }>({ ...order, dryRun: true })
    stage.value = { kind: 'counted', order, matched }
  })
  if (replayProblem.peek() !== undefined) stage.value = { kind: 'idle' }
}

interface Manner {
  readonly ratePerSecond: number
  readonly reason?: string
}

/** Runs the counted events again, and follows the progress. A second order with the same id would change nothing. */
export async function run(order: Order, manner: Manner): Promise<void> {
  await attempt(async () => {
    const replay = await send<Replay>({ ...order, ...manner })
    stage.value = { kind: 'started', replay }
    follow(replay)
  })
}

export function finish(): void {
  stage.value = { kind: 'idle' }
  replayProblem.value = undefined
}

function follow({ replayId, state }: Replay): void {
  refreshWithin(0)
  if (state === 'RUNNING') setTimeout(() => void look(replayId), POLL_MS)
}

async function look(replayId: string): Promise<void> {
  const current = stage.peek()
  if (current.kind !== 'started' || isSessionOver.peek()) return
  let { replay } = current
  await attempt(async () => {
    replay = await ask<Replay>(`/api/webhooks/replays/${replayId}`)
  })
  stage.value = { kind: 'started', replay }
  follow(replay)
}

async function attempt(step: () => Promise<void>): Promise<void> {
  try {
    await step()
    replayProblem.value = undefined
  } catch (error) {
    replayProblem.value = wordsOf(error)
  }
}

function send<T>(body: object): Promise<T> {
  return ask('/api/webhooks/replays', { method: 'POST', body })
}
