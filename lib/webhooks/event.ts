import type { EventIdentity } from './identity.ts'
import type { Proven } from './verify.ts'

/** The states of an event (retries-1). */
export type EventStatus = 'RECEIVED' | 'PROCESSING' | 'PROCESSED' | 'FAILED' | 'RETRY'

/** The identity of an event: its source and the id that the sender gave it. */
export interface EventKey {
  readonly source: string
  readonly eventId: string
}

export interface HistoryEntry {
  readonly at: Date
  readonly status: EventStatus
  /** `worker` makes the first run, `retry` every later one. */
  readonly by: 'intake' | 'worker' | 'retry' | 'operator'
  readonly error?: string | undefined
  /** The operator's name. */
  readonly user?: string | undefined
  /** Why an operator ordered it, or what the intake noticed. */
  readonly reason?: string | undefined
}

export interface IdConflict {
  readonly count: number
  readonly lastAt: Date
}

/** A stored webhook event (webhooks-58), with the state of its retries. */
export interface WebhookEvent extends EventKey {
  readonly id: bigint
  readonly eventType: string
  readonly status: EventStatus
  readonly receivedAt: Date
  /** Until when its sender may send it again; absent if it never does. */
  readonly repeatsUntil?: Date | undefined
  readonly processedAt?: Date | undefined
  /** The number of claimed retries. */
  readonly attempts: number
  /** When the next retry is due; absent if the event does not wait for a run. */
  readonly nextRetryAt?: Date | undefined
  /** Dead letter: FAILED with no attempt left. */
  readonly dead: boolean
  readonly errorMessage?: string | undefined
  /** Why a processed event changed nothing. */
  readonly outcome?: string | undefined
  /** The bytes as received. */
  readonly payload: Buffer
  readonly payloadSha256: string
  /** The hash of what counts as the content, where that is not the body as it came. */
  readonly contentSha256?: string | undefined
  readonly proof: Proof
  /** The last event with the same content under another id. */
  readonly possibleDuplicateOf?: string | undefined
  /** Set if that content came under another type before, and the type is not signed. */
  readonly typeConflict?: true | undefined
  /** Set while nothing acts on it, because it may be the repetition of a stranger: until an operator releases it. */
  readonly held?: true | undefined
  /** How often another content came under the same id; a lower bound. */
  readonly idConflict?: IdConflict | undefined
  /** What it is about in a few words of its payload, with which it is deleted. */
  readonly summary?: string | undefined
  /** The number of elements, for a batch. */
  readonly itemCount?: number | undefined
  readonly headers: Readonly<Record<string, string>>
  /** When it ends, with its payload and its deliveries; absent before it is stored. */
  readonly endsAt?: Date | undefined
  /** When its payload and its headers were deleted; absent while they are kept. */
  readonly payloadDeletedAt?: Date | undefined
  readonly history: readonly HistoryEntry[]
  /** The worker of the current or last run; until `leaseUntil` no other worker may claim the event. */
  readonly owner?: string | undefined
  readonly leaseUntil?: Date | undefined
  /** When an operator last ordered a run. */
  readonly orderedAt?: Date | undefined
  /** The id of the account that did; absent for a replay. */
  readonly orderedBy?: string | undefined
  /** The last replay that reset the event. */
  readonly replayId?: string | undefined
}

/** Everything about an event but its body. */
export type EventHead = Omit<WebhookEvent, 'payload'>

/** An event as it is read later: its payload may have been deleted. */
export type StoredEvent = EventHead & { readonly payload: Buffer | undefined }

/** The outcome of an event that is held. */
const HELD = 'held'

/** An event on which nothing acts. */
export function asHeld(event: WebhookEvent): WebhookEvent {
  return {
    ...asReceived(event),
    held: true,
    outcome: HELD,
    errorMessage: undefined,
    nextRetryAt: undefined,
    dead: false,
  }
}

/** A new event that nothing has run yet. */
export function asReceived(event: WebhookEvent): WebhookEvent {
  return { ...event, status: 'RECEIVED', processedAt: undefined, history: begunAs(event, { status: 'RECEIVED' }) }
}

/** The history of a new event that began otherwise. */
export function begunAs(
  { history }: Pick<WebhookEvent, 'history'>,
  { status, error }: Pick<HistoryEntry, 'status' | 'error'>,
): readonly HistoryEntry[] {
  return history.map(({ error: _, ...entry }) => ({ ...entry, status, ...(error !== undefined && { error }) }))
}

/** A message on the retry queue. It is only a hint: the stored row is the truth. */
export interface RetryHint extends EventKey {
  /** The number of runs that the hint saw, the intake's own included. If the row has had more, the hint is dropped. */
  readonly n: number
  /** How often in a row the hint was sent on because the event was not due yet; 0 when absent. */
  readonly hops?: number | undefined
}

type Counted = Pick<WebhookEvent, 'status' | 'attempts'>

/** The number of runs of an event: the first one and its retries. */
export function runsOf({ status, attempts }: Counted): number {
  return status === 'RECEIVED' ? 0 : attempts + 1
}

/** The hint that makes a worker look at the event in its current state. */
export function hintOf({ source, eventId, ...counted }: EventKey & Counted): RetryHint {
  return { source, eventId, n: runsOf(counted) }
}

/**
 * Maximum number of history entries: more than all attempts of one schedule need. Operators and outages can add any
 * number.
 */
const MAXIMUM_HISTORY = 100

/** Adds a move to the history; a long history keeps its first move and the latest ones. */
export function withEntry(history: readonly HistoryEntry[], entry: HistoryEntry): readonly HistoryEntry[] {
  const surplus = Math.max(0, history.length + 1 - MAXIMUM_HISTORY)
  return [...history.slice(0, 1), ...history.slice(1 + surplus), entry]
}

/**
 * What the signature of a call proves about its event: `full` covers the bytes of the body, the id and the time; `body`
 * the bytes alone; `fields` some fields of the body; `checksum` a checksum that anyone can meet with another body. A
 * `token` is sent with the call and bound to nothing in it.
 */
export type ProofLevel = (typeof PROOF_LEVELS)[number]

export const PROOF_LEVELS = ['full', 'body', 'fields', 'checksum', 'token', 'none'] as const

/** How well an event is proven. */
export interface Proof {
  readonly level: ProofLevel
  /** The label of the secret that fitted, never the secret. */
  readonly key?: string | undefined
  /** The signed time. */
  readonly signedAt?: Date | undefined
  /** Whether the type of the event is under the signature, and whether its id is, or what stands for it. */
  readonly typeSigned: boolean
  readonly idSigned: boolean
  /** The call was older than its scheme allows, and its content new. */
  readonly stale?: true | undefined
}

/** Of a call that had to prove nothing. */
export const UNPROVEN: Proof = { level: 'none', typeSigned: false, idSigned: false }

/** The proof of a call; `none` if nothing had to be proven. */
export function proofOf(
  proven: Proven | undefined,
  { rule, typeSigned, idSigned }: Pick<EventIdentity, 'rule' | 'typeSigned' | 'idSigned'>,
): Proof {
  if (!proven) return UNPROVEN
  const { key, signedAt, stale } = proven
  return { level: levelOf(proven, rule), key, signedAt, typeSigned, idSigned, ...(stale && { stale }) }
}

function levelOf({ covers, signedAt }: Proven, rule: EventIdentity['rule']): ProofLevel {
  if (covers === 'nothing') return 'token'
  if (covers !== 'body') return covers
  return signedAt !== undefined && rule !== 'id+body' ? 'full' : 'body'
}
