import { createHash } from 'node:crypto'
import { type Find, type Message, textIn } from './find.ts'
import { without } from './json.ts'
import { isIdentifier } from './payload.ts'
import type { SignedPart } from './schemes/scheme.ts'
import type { VerifiedCall } from './source.ts'
import type { Proven } from './verify.ts'

/**
 * What makes two calls one event. Only an id that is signed, or an exact copy of what is signed, is ever dropped.
 *
 * - `signed-id`: the same id.
 * - `time+body`: the same signed time and content.
 * - `id+body`: the same id and content; nobody signed the id.
 * - `window`: the same content within the time in which the sender still repeats.
 * - `always-new`: none; the sender says the same again whenever something has changed.
 * - `per-item`: the same content of a batch, apart from the marks of a retry.
 */
export type IdentityRule = 'signed-id' | 'time+body' | 'id+body' | 'window' | 'always-new' | 'per-item'

/** The names of members on the way to a value; `*` stands for every element of a list. */
export type Path = readonly string[]

interface Marks {
  /** Members that differ between the tries of one event: left out of the content. */
  readonly retryMarks?: readonly Path[]
}

interface SignedId extends Marks {
  readonly rule: 'signed-id'
  readonly id: Find
}

export interface IdAndBody extends Marks {
  readonly rule: 'id+body'
  readonly id: Find
  /**
   * `drop`: the same content under another id is the same event, because this sender's signed content names the occurrence.
   * `signed`: the id is part of the content, so there is nothing to compare.
   */
  readonly repeats?: 'drop' | 'signed'
}

interface PerItem extends Marks {
  readonly rule: 'per-item'
  readonly items: (payload: unknown) => readonly BatchItem[]
}

interface AlwaysNew extends Marks {
  readonly rule: 'always-new'
  /** Of a sender that sends several events in one call. */
  readonly items?: PerItem['items']
}

interface Plain extends Marks {
  readonly rule: 'time+body' | 'window'
}

/** The rule that identifies the events of a provider. */
export type IdentityRow = SignedId | IdAndBody | PerItem | AlwaysNew | Plain

/** Payloads of our own schema hold their id in `eventId`. */
export const ownId = { rule: 'signed-id', id: textIn('eventId') } as const satisfies IdentityRow

/** One element of a batch, with the id that its sender gave it. */
export interface BatchItem {
  readonly eventId?: string | undefined
  readonly eventType: string
}

/** What a source reads of a call to identify its event. */
export interface EventIdentity {
  readonly rule: IdentityRule
  /** The sender's id. */
  readonly eventId?: string | undefined
  readonly eventType: string
  /** The hash of the content, in hexadecimal digits; absent if the content is the body as it came. */
  readonly contentSha256?: string | undefined
  readonly repeats?: IdAndBody['repeats']
  /** How long the sender repeats an event, in seconds: within it, equal content may be the same event. */
  readonly horizonSeconds: number
  /** Set if the sender gave an id that no event can have. */
  readonly hasUnusableId?: true | undefined
}

/** The hash of the signed content, without the marks of a retry; undefined if that is the body as it came. */
function contentHash(row: IdentityRow, message: Message): string | undefined {
  const parts = signedInstead(message.proven) ?? unmarked(message, row.retryMarks)
  if (!parts) return undefined
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest('hex')
}

/** The body without the marks of a retry; undefined if it has none. */
function unmarked({ payload }: Message, marks: readonly Path[] = []): readonly string[] | undefined {
  return payload === undefined || marks.length === 0 ? undefined : [without(payload, marks)]
}

/** The signed content, if that is not the body's bytes. */
function signedInstead(proven: Proven | undefined): readonly SignedPart[] | undefined {
  return proven?.covers === 'fields' || proven?.covers === 'checksum' ? proven.signed() : undefined
}

interface Kind {
  readonly type?: Find
  readonly retries: { readonly horizonSeconds: number }
}

/**
 * @param row the rule that identifies the provider's events
 * @param given the sender's id; one that no event can have counts as absent
 */
export function eventIdentityOf(
  row: IdentityRow,
  given: unknown,
  message: Message,
  { type, retries }: Kind,
): EventIdentity {
  const eventId = typeof given === 'string' && isIdentifier(given) && !isDots(given) ? given : undefined
  const eventType = type?.(message)
  const rule = 'id' in row && eventId === undefined ? ruleWithoutId(row, message) : row.rule
  // If only some fields are signed, an attacker can repeat the body with other values in the rest. If the id is not
  // signed, an attacker can repeat the body without it.
  const isAlwaysAlike = signedInstead(message.proven) !== undefined || row.rule === 'id+body'
  return {
    rule,
    eventId,
    eventType: typeof eventType === 'string' && isIdentifier(eventType) ? eventType : 'UNKNOWN',
    contentSha256: contentHash(row, message),
    repeats: row.rule === 'id+body' ? row.repeats : undefined,
    horizonSeconds: isAlwaysAlike ? Number.POSITIVE_INFINITY : retries.horizonSeconds,
    ...(isGiven(given) && eventId === undefined && { hasUnusableId: true }),
  }
}

/**
 * Without an id, two events differ by their signed times, or else only by a pause longer than a sender repeats an
 * event. An unsigned id may have been removed on the way: then the content is compared with that of events with an id.
 */
function ruleWithoutId(row: SignedId | IdAndBody, { proven }: VerifiedCall): IdentityRule {
  if (proven?.signedAt !== undefined) return 'time+body'
  if (row.rule === 'signed-id' || row.repeats === 'signed') return 'window'
  return row.repeats === 'drop' ? 'id+body' : 'always-new'
}

/** Whether a sender gave an id, valid or not. */
export function isGiven(id: unknown): boolean {
  return id !== undefined && id !== null && id !== ''
}

/** A path segment that clients remove before they send a request. */
function isDots(id: string): boolean {
  return id === '.' || id === '..'
}
