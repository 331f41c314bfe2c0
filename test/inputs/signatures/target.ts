import { Buffer } from 'node:buffer'
import type { SignedCall } from '../../../lib/webhooks/schemes/scheme.ts'
import { verify } from '../../../lib/webhooks/verify.ts'
import type { Random } from '../../support/random.ts'
import type { Target } from '../target.ts'
import { changedCall } from './changes.ts'
import type { Seed } from './seeds.ts'
import { type Place, UNSIGNED, UNSIGNED_EVERYWHERE, type Unsigned, unpadded } from './unsigned.ts'

/** A call that was made from the seed of that number. */
interface Changed {
  readonly from: number
  readonly call: SignedCall
}

/** Calls that are accepted, changed: none may be accepted of which something signed was changed. */
export function signatureTarget(seeds: readonly Seed[]) {
  const calls = seeds.map(({ call }) => call)
  return {
    name: 'signatures',
    seeds: calls.map((call, from) => written({ from, call })),
    change(input: Buffer, random: Random) {
      const { from, call } = read(input) ?? { from: 0, call: random.pick(calls) }
      return written({ from, call: changedCall(call, random, calls) })
    },
    run(input: Buffer) {
      const { from = 0, call } = read(input) ?? {}
      const seed = seeds[from % seeds.length]
      if (!seed || !call || !verify(call, seed).ok) return
      // What was taken from another call under the same secret may make that call.
      if (seeds.some((one) => isOfOneSender(one, seed) && signedChanges(one, call).length === 0)) return
      throw new Error(`${seed.kind}: accepted with another ${signedChanges(seed, call).join(', ')}`)
    },
  } as const satisfies Target
}

function written({ from, call: { method, url, headers, body } }: Changed): Buffer {
  return Buffer.from(JSON.stringify({ from, method, url, headers, body: body.toString('latin1') }))
}

/** Undefined for what is no call any more. */
function read(input: Buffer): Changed | undefined {
  try {
    const { from, method, url, headers, body } = JSON.parse(input.toString())
    const texts = [method, url, body, ...Object.values(headers)]
    if (!Number.isInteger(from) || from < 0 || texts.some((text) => typeof text !== 'string')) return undefined
    return { from, call: { method, url, headers, body: Buffer.from(body, 'latin1') } }
  } catch {
    return undefined
  }
}

function isOfOneSender(one: Seed, other: Seed): boolean {
  const known = new Set(other.secrets.map(({ value }) => value))
  return one.scheme.header === other.scheme.header && one.secrets.some(({ value }) => known.has(value))
}

/** Where a call differs from its seed in what the provider signs. */
function signedChanges({ kind, call: seed }: Seed, call: SignedCall): readonly Place[] {
  const row = UNSIGNED[kind] ?? {}
  return changedPlaces(seed, call).filter((place) => !isUnsigned(row, place) && !row.alike?.[place]?.(seed, call))
}

function isUnsigned({ places = [], signed = [] }: Unsigned, place: Place): boolean {
  return places.includes(place) || (UNSIGNED_EVERYWHERE.includes(place) && !signed.includes(place))
}

function changedPlaces(seed: SignedCall, call: SignedCall): readonly Place[] {
  const places: Place[] = Object.keys(seed.headers).filter(
    (name) => unpadded(seed.headers[name]) !== unpadded(call.headers[name]),
  )
  if (seed.method !== call.method) places.push('method')
  if (seed.url !== call.url) places.push('url')
  if (!seed.body.equals(call.body)) places.push('body')
  return places
}
