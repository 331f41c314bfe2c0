/** OPEN lets one try a minute through, DISABLED none. */
export type CircuitState = 'CLOSED' | 'OPEN' | 'DISABLED'

/** What is known of a destination. */
export interface Health {
  readonly destination: string
  readonly state: CircuitState
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
