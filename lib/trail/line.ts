import { jsonLine } from '../runtime/log.ts'
import type { RingKey } from '../runtime/settings/key-ring.ts'
import type { TrailEntry } from './entry.ts'
import { trailMac } from './keys.ts'

/** Where a line stands. */
export interface LinePlace {
  /** The chain of one process. */
  readonly chain: string
  /** From 1. */
  readonly seq: number
  readonly at: Date
  /** In the first line: the chain that was opened before this one, if there was one. */
  readonly after?: string | undefined
  /** The MAC of the line before; empty in the first line. */
  readonly prev: string
}

/** A line as it is stored: one line of JSON, which ends with its MAC. */
export interface SealedLine {
  readonly text: string
  readonly at: Date
  readonly mac: string
}

/** The longest text that a line takes from elsewhere, in UTF-16 units; what is longer is cut. */
const MAXIMUM_TEXT = 512

/** The order of the members is part of what is sealed. */
export function sealLine({ chain, seq, at, after, prev }: LinePlace, entry: TrailEntry, key: RingKey): SealedLine {
  const { action, outcome, method, uid, user, authType, apiKey, nameHash, from, requestId, target } = entry
  const head = { chain, seq, at: at.toISOString(), after, action, outcome, method }
  const actor = { uid: cut(uid), user: cut(user), authType, apiKey, nameHash, from: cut(from), requestId }
  const line = { ...head, ...actor, target: target && cutEach(target), kid: key.kid, prev }
  const open = jsonLine(line).slice(0, -1)
  const mac = trailMac(key, 'line', open)
  return { text: `${open}${MAC_BEGIN}${mac}"}`, at, mac }
}

const MAC_BEGIN = ',"mac":"'

const MAC_END = /^(.*),"mac":"([\w-]{43})"\}$/s

/** A text in the form of a line. Only `isSealed` proves that it is authentic. */
export interface ReadLine {
  readonly chain: string
  readonly seq: number
  readonly after: string | undefined
  readonly kid: string
  readonly prev: string
  readonly mac: string
  readonly at: Date
  /** All its members. */
  readonly members: Readonly<Record<string, unknown>>
  /** What its MAC is of. */
  readonly sealed: string
}

/** Undefined for a text that is no line. */
export function readLine(text: string): ReadLine | undefined {
  const [, sealed, mac] = MAC_END.exec(text) ?? []
  const members = sealed === undefined ? undefined : membersIn(text)
  if (members === undefined || sealed === undefined || mac === undefined) return undefined
  const { chain, seq, at, after, kid, prev } = members
  const isPlaced = typeof chain === 'string' && typeof seq === 'number' && Number.isSafeInteger(seq) && seq > 0
  if (!isPlaced || typeof at !== 'string' || Number.isNaN(Date.parse(at))) return undefined
  if (typeof kid !== 'string' || typeof prev !== 'string') return undefined
  const before = typeof after === 'string' ? after : undefined
  return { chain, seq, at: new Date(at), after: before, kid, prev, mac, members, sealed }
}

/** Whether one of the keys sealed the line; undefined if none of them has its name. */
export function isSealed({ kid, sealed, mac }: ReadLine, keys: readonly RingKey[]): boolean | undefined {
  const key = keys.find((one) => one.kid === kid)
  return key && trailMac(key, 'line', sealed) === mac
}

function membersIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function cut(text: string | undefined): string | undefined {
  return text?.slice(0, MAXIMUM_TEXT)
}

function cutEach(target: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(target).map(([name, value]) => [name, value.slice(0, MAXIMUM_TEXT)]))
}
