import { parseTime } from '../ui/times.tsx'
import type { EventDetail } from './record.ts'

/** A run of the handler, from its start to its end. */
export interface Attempt {
  readonly kind: 'attempt'
  readonly at: Date
  readonly end: Date | undefined
  /** Counted from the receipt, or from the last order of an operator. */
  readonly number: number
  /** `lost`: it has no end, and another one began. `uncounted`: an outage ended it. */
  readonly result: 'done' | 'failed' | 'running' | 'lost' | 'uncounted'
  readonly error: string | null
  readonly isAtReceipt: boolean
}

/** One step in the history of an event, as the page shows it. */
export type EventStep =
  | Attempt
  | { readonly kind: 'received'; readonly at: Date; readonly note: string | undefined }
  | { readonly kind: 'order'; readonly at: Date; readonly user: string; readonly reason: string | undefined }
  | { readonly kind: 'deletion'; readonly at: Date; readonly user: string }

type Move = EventDetail['history'][number]

/** The texts of the service in a history. */
const PAYLOAD_DELETED = 'the payload was deleted'
const UNCOUNTED = 'not counted'

/** The steps so far. */
interface HistoryState {
  readonly steps: readonly EventStep[]
  readonly number: number
  /** When the unfinished attempt began. */
  readonly begun: Date | undefined
}

/** The moves of a history, start and end of each attempt in one step. */
export function stepsOf(history: readonly Move[]): readonly EventStep[] {
  const state = history.reduce(withMove, { steps: [], number: 0, begun: undefined })
  return state.begun ? withAttempt(state, { result: 'running' }).steps : state.steps
}

function withMove(state: HistoryState, move: Move): HistoryState {
  const at = parseTime(move.at)
  const { user, words } = actorOf(move.by)
  if (user !== undefined) return withOrder(state, at, user, words)
  if (move.status === 'PROCESSING' || move.status === 'RETRY') return withBegin(state, at)
  const isAtReceipt = move.by.startsWith('intake')
  if (!isAtReceipt) return withAttempt(state, { result: resultOf(move), end: at, error: move.error })
  if (move.status === 'RECEIVED') return { ...state, steps: [...state.steps, { kind: 'received', at, note: words }] }
  return withAttempt({ ...state, number: 1 }, { result: resultOf(move), end: at, error: move.error, isAtReceipt })
}

function withOrder(state: HistoryState, at: Date, user: string, reason: string | undefined): HistoryState {
  if (reason === PAYLOAD_DELETED) return { ...state, steps: [...state.steps, { kind: 'deletion', at, user }] }
  return { steps: [...state.steps, { kind: 'order', at, user, reason }], number: 0, begun: undefined }
}

/** An attempt that begins while another one has no end shows that the other one is lost. */
function withBegin(state: HistoryState, at: Date): HistoryState {
  const { steps, number } = state.begun ? withAttempt(state, { result: 'lost' }) : state
  return { steps, number: number + 1, begun: at }
}

interface Ended extends Partial<Pick<Attempt, 'end' | 'error' | 'isAtReceipt'>> {
  readonly result: Attempt['result']
}

function withAttempt(
  { steps, number, begun }: HistoryState,
  { result, end, error = null, isAtReceipt = false }: Ended,
): HistoryState {
  const at = begun ?? end ?? new Date(0)
  const attempt: Attempt = { kind: 'attempt', at, end, number, result, error, isAtReceipt }
  return { steps: [...steps, attempt], number: result === 'uncounted' ? number - 1 : number, begun: undefined }
}

function resultOf({ status, error }: Move): Attempt['result'] {
  if (error?.startsWith(UNCOUNTED)) return 'uncounted'
  return status === 'PROCESSED' ? 'done' : 'failed'
}

/** The actor of a move, and the text: `operator admin: the shop is open again`, `intake: …`. */
function actorOf(by: string): { readonly user: string | undefined; readonly words: string | undefined } {
  const [, who = by, words] = /^(.*?): (.*)$/s.exec(by) ?? []
  return { user: /^operator (.*)$/s.exec(who)?.[1], words }
}

const MINUTE = 60_000

/** When attempts are due after the receipt unless the service is set otherwise, in minutes. */
export const TICKS = [0, 5, 15, 60] as const

/** The same after an operator's order, which is itself the first retry. */
const ORDERED = [0, 15, 60] as const

/** How late an attempt may begin before that is worth a word; beyond the second scan, the service is set otherwise. */
const LATE = { from: MINUTE, to: 10 * MINUTE }

/** All runs of the handler. */
export function attemptsIn(history: readonly Move[]): readonly Attempt[] {
  return stepsOf(history).filter((step): step is Attempt => step.kind === 'attempt')
}

/** The present schedule of an event. */
export interface Schedule {
  /** The receipt, or the last order of an operator. */
  readonly from: Date
  readonly isOrdered: boolean
  readonly attempts: readonly Attempt[]
}

export function scheduleOf(steps: readonly EventStep[], receivedAt: Date): Schedule {
  const start = steps.findLastIndex(({ kind }) => kind === 'order')
  const order = steps[start]
  const attempts = steps.slice(start + 1).filter((step): step is Attempt => step.kind === 'attempt')
  return { from: order?.at ?? receivedAt, isOrdered: order !== undefined, attempts }
}

/** How late an attempt began, in milliseconds, if that was so late that its queue message was of no use. */
export function latenessOf(attempt: Attempt, { from, isOrdered, attempts }: Schedule): number | undefined {
  const delays = isOrdered ? ORDERED : TICKS
  const [delay, before] = [delays[attempt.number - 1], delays[attempt.number - 2]]
  const previous = attempts[attempts.indexOf(attempt) - 1]
  if (delay === undefined || before === undefined || !previous) return undefined
  // A late attempt delays the next one: they keep their distance.
  const due = Math.max(from.getTime() + delay * MINUTE, previous.at.getTime() + (delay - before) * MINUTE)
  const late = attempt.at.getTime() - due
  return late > LATE.from && late < LATE.to ? late : undefined
}
