import { GATEHOUSE } from '../webhooks/source.ts'
import type { DeliveryAnswer } from './carrier.ts'

/** A circuit opens after so many failures in a row, ... */
const OPENS_AFTER = 10

/** ... the last of them at least so long after the first, in milliseconds. */
const FAILING_FOR = 60_000

/** The pause between two tries while the circuit is open, in milliseconds. */
export const PROBE_PAUSE = 60_000

/** The longest time, in milliseconds, for which a Retry-After can stop a whole destination. */
const LONGEST_HOLD = 2 * 3_600_000

export type Failed = Extract<DeliveryAnswer, { readonly kind: 'failed' }> & {
  /** That of the event. */
  readonly source?: string | undefined
}

/** The decision on a hint: a probe passes an open circuit; a delivery that is held waits until then. */
export type CircuitGate =
  | { readonly kind: 'pass' }
  | { readonly kind: 'shut' }
  | { readonly kind: 'held'; readonly until: Date }

export function gateOf({ state, heldUntil }: Health, isProbe: boolean, now: Date): CircuitGate {
  if (state === 'DISABLED' || (state === 'OPEN' && !isProbe)) return { kind: 'shut' }
  if (heldUntil && heldUntil > now) return { kind: 'held', until: heldUntil }
  return { kind: 'pass' }
}

/** After so long, in milliseconds, a failure is written even if it changes nothing but the number of failures. */
const QUIET_FOR = 1000

/**
 * Whether the health after a failure has to be written. Not if the row was written within the last second, and nothing
 * that a worker acts on differs by more.
 */
export function mustWrite(present: Health, { state, ...changed }: Health): boolean {
  const later = (time: 'failingSince' | 'heldUntil' | 'lastAnswerAt') =>
    (changed[time]?.getTime() ?? 0) - (present[time]?.getTime() ?? 0)
  const isAlike =
    present.state === state &&
    present.told === changed.told &&
    later('failingSince') === 0 &&
    later('heldUntil') < QUIET_FOR
  return !isAlike || later('lastAnswerAt') >= QUIET_FOR
}

/** The health after failures. @param failed the last of them @param count their number */
export function afterFailure(present: Health, failed: Failed, at: Date, count = 1): Health {
  const health = { ...present, lastAnswer: failed.answer, lastAnswerAt: at }
  if (present.state === 'DISABLED') return health
  if (failed.isGone)
    return { ...stopped(health), state: 'DISABLED', told: 'DISABLED', since: at, by: undefined, reason: failed.answer }
  const heldUntil = holdOf(present, failed, at)
  // A destination that is down for news makes none, or they would never end.
  const told = failed.source === GATEHOUSE ? present.told : 'OPEN'
  if (present.state === 'OPEN') return { ...health, told, heldUntil, probeAt: later(present.probeAt, at, PROBE_PAUSE) }
  const failingSince = present.failingSince ?? at
  const failures = present.failures + count
  const opens = failures >= OPENS_AFTER && at.getTime() - failingSince.getTime() >= FAILING_FOR
  return opens
    ? { ...stopped(health), state: 'OPEN', told, since: at, heldUntil, probeAt: new Date(at.getTime() + PROBE_PAUSE) }
    : { ...health, failures, failingSince, heldUntil }
}

/** The health after a success; undefined if it does not change. Only an operator enables a disabled destination. */
export function afterSuccess(present: Health, answer: string, at: Date): Health | undefined {
  const isRecovery = present.state === 'OPEN' || (present.state === 'CLOSED' && present.failures > 0)
  return isRecovery ? { ...closed(present), lastAnswer: answer, lastAnswerAt: at } : undefined
}

/** Takes the turn of the next probe; undefined if it is not due, or if another scan has taken it. */
export function takingProbe(present: Health, now: Date): Health | undefined {
  const { state, probeAt = now } = present
  if (state !== 'OPEN' || probeAt > now) return undefined
  return { ...present, probeAt: new Date(now.getTime() + PROBE_PAUSE) }
}

/** The operator and the reason. */
export interface HealthChange {
  readonly at: Date
  readonly user: string
  readonly reason?: string | undefined
}

/** Lets every delivery through again, whatever stopped it. */
export function enabled(present: Health, { user, reason }: HealthChange): Health {
  return { ...closed(present), heldUntil: undefined, by: user, reason }
}

/** Lets no delivery through; new ones wait. */
export function disabled(present: Health, { at, user, reason }: HealthChange): Health {
  return { ...stopped(present), state: 'DISABLED', told: 'DISABLED', since: at, by: user, reason }
}

function closed(health: Health): Health {
  return { ...stopped(health), state: 'CLOSED', told: undefined, since: undefined, reason: undefined, by: undefined }
}

/** Without the fields that only count while the circuit is closed or open. */
function stopped(health: Health): Health {
  return { ...health, failures: 0, failingSince: undefined, probeAt: undefined }
}

function holdOf({ heldUntil }: Health, { isBusy, retryAfter = 0 }: Failed, at: Date): Date | undefined {
  return isBusy && retryAfter > 0 ? later(heldUntil, at, Math.min(retryAfter, LONGEST_HOLD)) : heldUntil
}

function later(present: Date | undefined, at: Date, milliseconds: number): Date {
  return new Date(Math.max(present?.getTime() ?? 0, at.getTime() + milliseconds))
}

/** OPEN lets one try a minute through, DISABLED none. */
export type CircuitState = 'CLOSED' | 'OPEN' | 'DISABLED'

/** What is known of a destination. */
export interface Health {
  readonly destination: string
  readonly state: CircuitState
  /** The state that the last event about this destination reported; its end is reported as well. */
  readonly told?: 'OPEN' | 'DISABLED' | undefined
  /** The failures in a row, while it is CLOSED. */
  readonly failures: number
  /** When the first of them came. */
  readonly failingSince?: Date | undefined
  /** When it became OPEN or DISABLED. */
  readonly since?: Date | undefined
  /** When an OPEN one lets the next try through. */
  readonly probeAt?: Date | undefined
  /** Until when it asked to be left alone (429 or 503 with Retry-After). */
  readonly heldUntil?: Date | undefined
  /** The operator who disabled or enabled it last. */
  readonly by?: string | undefined
  readonly reason?: string | undefined
  /** Of the last failure, or of the first success after it: later successes change nothing, and are not written. */
  readonly lastAnswer?: string | undefined
  readonly lastAnswerAt?: Date | undefined
  /** When a scan first found that it is not configured any more. */
  readonly removedAt?: Date | undefined
  /** Counts the writes; 0 if nothing is stored. */
  readonly version: number
}

export function healthyOf(destination: string): Health {
  return { destination, state: 'CLOSED', failures: 0, version: 0 }
}
