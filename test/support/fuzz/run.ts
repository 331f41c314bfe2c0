import type { SignedCall } from '../../../lib/webhooks/schemes/scheme.ts'
import { type Verdict, verify } from '../../../lib/webhooks/verify.ts'
import { seeded } from '../random.ts'
import { mutate } from './mutate.ts'
import type { Seed } from './seeds.ts'
import { type Place, UNSIGNED, UNSIGNED_EVERYWHERE, type Unsigned } from './unsigned.ts'

export interface FuzzOptions {
  readonly seeds: readonly Seed[]
  readonly mutations: number
  /** The same start gives the same mutations. */
  readonly start: number
}

/** What should not have happened, and how to have it again. */
interface Finding {
  readonly kind: string
  /** Stands for `start` to have this mutation first. */
  readonly start: number
  readonly call: SignedCall
  readonly places: readonly Place[]
  readonly error?: unknown
}

export interface FuzzReport {
  readonly mutations: number
  /** Mutations that are accepted, none of which changed anything signed. */
  readonly harmless: number
  readonly falseAccepts: readonly Finding[]
  readonly thrown: readonly Finding[]
}

/** Changes calls that are accepted, and looks for a change of what is signed that is accepted too, or throws. */
export function fuzz({ seeds, mutations, start }: FuzzOptions): FuzzReport {
  const calls = seeds.map(({ call }) => call)
  const falseAccepts: Finding[] = []
  const thrown: Finding[] = []
  let harmless = 0
  for (let round = start; round < start + mutations; round++) {
    const random = seeded(Math.imul(round, 0x9e3779b1))
    const seed = random.pick(seeds)
    const call = mutate(seed.call, random, calls)
    const { ok, error } = judged(seed, call)
    if (error !== undefined) thrown.push({ kind: seed.kind, start: round, call, places: [], error })
    if (!ok) continue
    // What was taken from another call under the same secret may make that call.
    const isKnown = seeds.some((one) => isOfOneSender(one, seed) && signedChanges(one, call).length === 0)
    const places = signedChanges(seed, call)
    if (isKnown) harmless++
    else falseAccepts.push({ kind: seed.kind, start: round, call, places })
  }
  return { mutations, harmless, falseAccepts, thrown }
}

function judged(seed: Seed, call: SignedCall): { readonly ok: Verdict['ok']; readonly error?: unknown } {
  try {
    return { ok: verify(call, seed).ok }
  } catch (error) {
    return { ok: false, error }
  }
}

function isOfOneSender(one: Seed, other: Seed): boolean {
  return one.scheme.header === other.scheme.header && one.secrets[0]?.value === other.secrets[0]?.value
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
  const places: Place[] = Object.keys(seed.headers).filter((name) => seed.headers[name] !== call.headers[name])
  if (seed.method !== call.method) places.push('method')
  if (seed.url !== call.url) places.push('url')
  if (!seed.body.equals(call.body)) places.push('body')
  return places
}
