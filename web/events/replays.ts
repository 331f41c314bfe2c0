import { signal } from '@preact/signals'
import { wordsOf } from '../ask.ts'
import { orderReplay, type StartedReplay } from './calls.ts'
import { place } from './navigation.ts'
import { type Filter, replayFilter } from './place.ts'
import { refreshWithin } from './reading.ts'

interface Order {
  readonly replayId: string
  readonly filter: object
}

/** The stages of running many events again. */
export type Stage =
  | { readonly kind: 'counting' }
  | { readonly kind: 'counted'; readonly order: Order; readonly matched: number }
  | { readonly kind: 'started'; readonly replay: StartedReplay }
  | { readonly kind: 'refused'; readonly problem: string }

/** Undefined while nobody asks for it. */
export const stage = signal<Stage | undefined>(undefined)

/** Whether a replay can select what the filter does: failed events, of at most one source and one type. */
export function isReplayOffered({ status, source, type }: Filter): boolean {
  return status.includes('FAILED') && source.length <= 1 && type.length <= 1
}

/** Counts the failed events that match the filter. */
export async function countReplay(): Promise<void> {
  stage.value = { kind: 'counting' }
  const order = { replayId: crypto.randomUUID(), filter: replayFilter(place.peek().filter, new Date()) }
  await attempt(async () => {
    const { matched } = await orderReplay<{ matched: number }>({ ...order, dryRun: true })
    return { kind: 'counted', order, matched }
  })
}

interface Manner {
  readonly ratePerSecond: number
  readonly reason?: string
}

/** Runs the counted events again. A second order with the same id would change nothing. */
export async function runReplay(order: Order, manner: Manner): Promise<void> {
  await attempt(async () => ({ kind: 'started', replay: await orderReplay<StartedReplay>({ ...order, ...manner }) }))
  refreshWithin(0)
}

async function attempt(step: () => Promise<Stage>): Promise<void> {
  try {
    stage.value = await step()
  } catch (error) {
    stage.value = { kind: 'refused', problem: wordsOf(error) }
  }
}
