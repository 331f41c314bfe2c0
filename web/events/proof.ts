import type { Tone } from '../ui/badge.tsx'
import type { EventRecord } from './record.ts'
import { SIGNED } from './signed.ts'

type Proof = EventRecord['proof']
type Level = Proof['level']

interface LevelMeaning {
  readonly tone: Tone
  /** In a few words. */
  readonly name: string
  readonly sentence: string
  /** What nobody without the secret can have changed. */
  readonly covers: readonly ProvenPart[]
}

/** The parts of a call that a signature may cover. */
export const PARTS = ['Sender', 'Body', 'Event id', 'Time', 'Address'] as const

export type ProvenPart = (typeof PARTS)[number]

/** What each level of a proof means. */
export const LEVELS: Readonly<Record<Level, LevelMeaning>> = {
  full: {
    tone: 'ok',
    name: 'Id, time and body signed',
    sentence: 'Nobody without the secret can have changed the body, its id or the time.',
    covers: ['Sender', 'Body', 'Event id'],
  },
  body: {
    tone: 'ok',
    name: 'Body signed',
    sentence: 'Nobody without the secret can have changed the body. Its id or the time is not signed.',
    covers: ['Sender', 'Body'],
  },
  fields: {
    tone: 'wait',
    name: 'Some fields signed',
    sentence: 'Only some fields of the body are signed. Anybody who saw the call could change the others.',
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
    sentence: 'No signature was checked: anybody could have sent this call.',
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
