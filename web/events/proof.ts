import { SIGNED } from '../gen/signed.ts'
import type { Tone } from '../ui/badge.tsx'
import type { EventRecord } from './record.ts'

type Proof = EventRecord['proof']
type Level = Proof['level']

interface LevelMeaning {
  readonly tone: Tone
  /** In a few words. */
  readonly name: string
  readonly sentence: string
  /** What cannot have been changed without the secret. */
  readonly covers: readonly ProvenPart[]
}

/** The parts of a call that a signature may cover. */
const PARTS = ['Sender', 'Body', 'Event id', 'Time', 'Address'] as const

export type ProvenPart = (typeof PARTS)[number]

/** What each level of a proof means. */
export const LEVELS: Readonly<Record<Level, LevelMeaning>> = {
  full: {
    tone: 'ok',
    name: 'Id, time and body signed',
    sentence: 'The body, its id and the time cannot have been changed without the secret.',
    covers: ['Sender', 'Body', 'Event id'],
  },
  body: {
    tone: 'ok',
    name: 'Body signed',
    sentence: 'The body cannot have been changed without the secret. Its id or the time is not signed.',
    covers: ['Sender', 'Body'],
  },
  fields: {
    tone: 'wait',
    name: 'Some fields signed',
    sentence: 'Only some fields of the body are signed. The others can be changed without the secret.',
    covers: ['Sender'],
  },
  checksum: {
    tone: 'wait',
    name: 'Checksum signed',
    sentence: 'Only a checksum of the body is signed. Another body with the same checksum would pass.',
    covers: ['Sender'],
  },
  token: {
    tone: 'wait',
    name: 'Secret sent along',
    sentence: 'The call had the secret in it. Nothing in the call is signed.',
    covers: ['Sender'],
  },
  none: {
    tone: 'wait',
    name: 'Nothing proven',
    sentence: 'No signature was checked: any caller could have sent this.',
    covers: [],
  },
}

/** The parts of an event that are proven. */
export function provenParts({ source, proof }: Pick<EventRecord, 'source' | 'proof'>): readonly ProvenPart[] {
  const covered = new Set<ProvenPart>(LEVELS[proof.level].covers)
  if (proof.signedAt !== null) covered.add('Time')
  if (proof.level !== 'none' && SIGNED[source]?.[1].includes('address')) covered.add('Address')
  return PARTS.filter((part) => covered.has(part))
}

/**
 * The headers that a signature check reads, in lower case; none if the body has the signature, or for a team's source.
 */
export function signingHeaders(source: string): readonly string[] {
  const place = SIGNED[source]?.[0] ?? ''
  return (place.match(/[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*/g) ?? []).filter(isHeader).map((name) => name.toLowerCase())
}

/** Words in the descriptions that are no headers. */
function isHeader(word: string): boolean {
  return !['SHA-1', 'Basic', 'Bearer'].includes(word)
}
