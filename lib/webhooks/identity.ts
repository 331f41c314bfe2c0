import { createHash } from 'node:crypto'
import { isPlain, visible } from '../runtime/text.ts'
import { elementsOf, type Find, type Message, only, pick, textIn, valueAt } from './find.ts'
import { without } from './json.ts'
import type { SignedPart } from './schemes/scheme.ts'
import type { VerifiedCall } from './source.ts'
import type { Proven } from './verify.ts'

/**
 * What makes two calls one event. Only an id that is signed, or an exact copy of what is signed, is ever dropped.
 *
 * - `signed-id`: the same id.
 * - `time+body`: the same signed time and content.
 * - `id+body`: the same id and content; the id is not signed.
 * - `window`: the same content within the time in which the sender still repeats.
 * - `always-new`: none; the sender says the same again whenever something has changed.
 * - `per-item`: the same content of a batch, apart from the marks of a retry.
 */
export type IdentityKind = 'signed-id' | 'time+body' | 'id+body' | 'window' | 'always-new' | 'per-item'

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
   * What the same content under another id is, if the id is not signed. `hold`, also if absent of signed content:
   * perhaps the call of a stranger who saw another, so nothing acts on it. `deliver`: a new event, because two of this sender's may be equal.
   * `drop`: the same event, because this sender's signed content names the occurrence. `signed`: the id is part of the
   * content, so there is nothing to compare.
   */
  readonly repeats?: Repeats | 'signed'
  /** How the types end of which two events may be equal, though others are held. */
  readonly equalTypes?: readonly string[] | undefined
}

/** What to do with the same content under another id. */
export type Repeats = 'drop' | 'deliver' | 'hold'

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
export type IdentityRule = SignedId | IdAndBody | PerItem | AlwaysNew | Plain

/** Payloads of our own schema hold their id in `eventId`. */
export const ownId = { rule: 'signed-id', id: textIn('eventId') } as const satisfies IdentityRule

/** One element of a batch, with the id that its sender gave it. */
export interface BatchItem {
  readonly eventId?: string | undefined
  readonly eventType: string
}

/** The elements of the list at a path as items, with the members that hold their ids and types. */
export function itemsAt(list: readonly string[], id: readonly string[], type: readonly string[]) {
  return (payload: unknown): readonly BatchItem[] =>
    elementsOf(valueAt(payload, list)).map((element) => itemOf(pick(element, id), pick(element, type)))
}

/** An element of a batch; an id or a type that no event can have counts as absent. */
export function itemOf(eventId: string | undefined, eventType: string | undefined): BatchItem {
  return {
    eventId: isIdentifying(eventId) ? eventId : undefined,
    eventType: isIdentifying(eventType) ? eventType : UNKNOWN,
  }
}

/** What a source reads of a call to identify its event. */
export interface EventIdentity {
  readonly rule: IdentityKind
  /** The sender's id. */
  readonly eventId?: string | undefined
  readonly eventType: string
  /** Whether the type, and the id or what stands for it, are under the signature. */
  readonly typeSigned: boolean
  readonly idSigned: boolean
  /** The hash of the content, in hexadecimal digits; absent if the content is the body as it came. */
  readonly contentSha256?: string | undefined
  readonly repeats?: IdAndBody['repeats']
  /** Whether the same content may come under another type, too, because both are about one resource. */
  readonly hasSibling?: ((type: string) => boolean) | undefined
  /** How long the sender repeats an event, in seconds. */
  readonly retrySeconds?: number | undefined
  /** How long equal content may be the same event, in seconds. */
  readonly horizonSeconds: number
  /** Set if the sender gave an id that no event can have. */
  readonly hasUnusableId?: true | undefined
  /** What the event is about. */
  readonly summary?: string | undefined
}

/** The hash of the signed content, without the marks of a retry; undefined if that is the body as it came. */
function contentHash(row: IdentityRule, message: Message): string | undefined {
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

/** What a provider's row says of its events. */
export interface Kind {
  /** How its events are identified: the first row whose id a call has, else the last one. */
  readonly identity: readonly [IdentityRule, ...IdentityRule[]]
  readonly type?: Find
  /** What stands behind the resource in a type, where several types of a resource may come with the same body. */
  readonly resourceEnd?: string
  /** What an event is about, for a list: `49.90 EUR · order-1042`. */
  readonly summary?: Find
  readonly retries: { readonly horizonSeconds: number }
}

/** Reads what identifies the event of a call. An id that no event can have counts as absent. */
export function eventIdentityOf(message: Message, kind: Kind): EventIdentity & Pick<Located, 'row'> {
  const signed = signedPart(message)
  const { row, found: given, isSigned } = locate(kind.identity, message, signed)
  const eventId = isIdentifying(given) && !isDots(given) ? given : undefined
  const type = findIn(kind.type ?? unknownType, message, signed)
  const eventType = isIdentifying(type.found) ? type.found : UNKNOWN
  const rule = 'id' in row && eventId === undefined ? ruleWithoutId(row, message) : row.rule
  return {
    row,
    rule,
    eventId,
    eventType,
    typeSigned: type.isSigned,
    idSigned: eventId === undefined ? isSignedWithout(rule, signed) : isSigned,
    contentSha256: contentHash(row, message),
    ...(row.rule === 'id+body' && lookAlikesOf(row, eventType, kind, signed !== undefined)),
    retrySeconds: kind.retries.horizonSeconds,
    horizonSeconds: isAlwaysAlike(row, message) ? Number.POSITIVE_INFINITY : kind.retries.horizonSeconds,
    ...(isGiven(given) && eventId === undefined && { hasUnusableId: true }),
    summary: summaryIn(kind.summary?.(message)),
  }
}

/** Whether what stands for a missing id is signed. */
function isSignedWithout(rule: IdentityKind, signed: Message | undefined): boolean {
  return signed !== undefined && rule !== 'always-new'
}

const UNKNOWN = 'UNKNOWN'
const unknownType: Find = () => UNKNOWN

/**
 * If only some fields are signed, an attacker can repeat the body with other values in the rest. If the id is not signed,
 * an attacker can repeat the body without it.
 */
function isAlwaysAlike(row: IdentityRule, { proven }: Message): boolean {
  return signedInstead(proven) !== undefined || row.rule === 'id+body'
}

const MAXIMUM_SUMMARY = 80

function summaryIn(found: unknown): string | undefined {
  return isGiven(found) ? visible(String(found)).slice(0, MAXIMUM_SUMMARY).toWellFormed() : undefined
}

/** What the same content means under another id, or under another type. */
function lookAlikesOf(row: IdAndBody, eventType: string, { resourceEnd }: Kind, isSigned: boolean) {
  // Who has the secret that comes with each call needs no copy of one.
  const { repeats = isSigned ? 'hold' : 'deliver', equalTypes } = row
  const mayBeEqual = (type: string) => equalTypes?.some((end) => type.endsWith(end)) === true
  if (mayBeEqual(eventType)) return { repeats: 'deliver' } as const
  const resource = resourceEnd && eventType.slice(0, eventType.indexOf(resourceEnd) + 1)
  return { repeats, ...(resource && { hasSibling: (type: string) => type.startsWith(resource) && !mayBeEqual(type) }) }
}

interface Located {
  readonly row: IdentityRule
  /** The sender's id, valid or not. */
  readonly found: unknown
  readonly isSigned: boolean
}

function locate(rows: Kind['identity'], message: Message, signed: Message | undefined): Located {
  let last: Located = { row: rows[0], found: undefined, isSigned: false }
  for (const row of rows) {
    last = { row, ...('id' in row ? findIn(row.id, message, signed) : { found: undefined, isSigned: false }) }
    if (!('id' in row) || isGiven(last.found)) break
  }
  return last
}

/** A value, and whether it stands in what is signed. */
function findIn(find: Find, message: Message, signed: Message | undefined) {
  const found = signed && find(signed)
  return isGiven(found) ? { found, isSigned: true } : { found: find(message), isSigned: false }
}

/** A message with nothing but what is signed of it; undefined if nothing is. */
function signedPart(message: Message): Message | undefined {
  const { proven, headers, payload } = message
  if (!proven || proven.covers === 'nothing') return undefined
  const names = proven.headers ?? []
  const kept = Object.fromEntries(Object.entries(headers).filter(([name]) => names.includes(name)))
  if (proven.covers === 'body' || (proven.covers === 'fields' && !proven.fields)) return { ...message, headers: kept }
  const fields = proven.covers === 'fields' ? (proven.fields ?? []) : []
  return { ...message, headers: kept, payload: only(payload, fields) }
}

/**
 * Without an id, two events differ by their signed times, or else only by a pause longer than a sender repeats an
 * event. An unsigned id may have been removed on the way: then the content is compared with that of events with an id.
 */
function ruleWithoutId(row: SignedId | IdAndBody, { proven }: VerifiedCall): IdentityKind {
  if (proven?.signedAt !== undefined) return 'time+body'
  if (row.rule === 'signed-id' || row.repeats === 'signed') return 'window'
  return row.repeats === 'drop' ? 'id+body' : 'always-new'
}

/** Whether a text can be a key or an attribute in our store. */
export function isIdentifier(text: string): boolean {
  if (text.length < 1 || text.length > 256) return false
  return isPlain(text) || (text.isWellFormed() && !/\p{Cc}/u.test(text))
}

function isIdentifying(found: unknown): found is string {
  return typeof found === 'string' && isIdentifier(found)
}

/** Whether a sender gave an id, valid or not. */
function isGiven(id: unknown): boolean {
  return id !== undefined && id !== null && id !== ''
}

/** A path segment that clients remove before they send a request. */
function isDots(id: string): boolean {
  return id === '.' || id === '..'
}
