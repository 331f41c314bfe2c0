import type { Proof, ProofLevel } from '../../webhooks/proof.ts'

/** A level, `!` if the call was stale, the signed time in milliseconds since the epoch or `-`, and the secret's label. */
const TEXT = /^(\w+)(!?)(?: (-|\d+)(?: (.+))?)?$/

/** A secret without a label of its own is called by its source and its place. */
const PLACE = /^#\d+$/

/** A proof in few bytes, because every event has one: `full 1767323045678 #1`. */
export function proofText({ level, key = '', signedAt, isStale }: Proof, source: string): string {
  const place = key.startsWith(source) ? key.slice(source.length) : ''
  const label = PLACE.test(place) ? place : key
  return [`${level}${isStale ? '!' : ''}`, signedAt?.getTime() ?? '-', label].join(' ').replace(/(?: -)? $/, '')
}

export function proofIn(text: string, source: string): Proof {
  const [, level, stale, time, label] = TEXT.exec(text) ?? []
  return {
    level: level as ProofLevel,
    ...(label && { key: PLACE.test(label) ? source + label : label }),
    ...(time && time !== '-' && { signedAt: new Date(Number(time)) }),
    ...(stale && { isStale: true }),
  }
}
