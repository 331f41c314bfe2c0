import { randomUUID } from 'node:crypto'
import process from 'node:process'
import { createTokens, type Tokens } from '../../../lib/auth/token.ts'
import { systemClock } from '../../../lib/runtime/clock.ts'
import { claims, forge, HEADER } from '../../../test/support/forge.ts'
import { effort } from '../effort.ts'
import type { Findings } from '../findings.ts'
import { KEY } from '../key.ts'
import { slopes } from './slope.ts'

const SIZES = effort([100, 10_000, 100_000], [100, 200])
const ROUNDS = effort(15, 1)
const CALLS = effort(20_000, 200)

/** Less than the cache holds, so that they stay in it. */
const KNOWN = 100

/** What a known token costs where many others have been seen before. */
export async function tokensSeen(): Promise<Readonly<Record<string, Findings>>> {
  const all = new Map(await Promise.all(SIZES.map(async (size) => [size, await afterSeeing(size - KNOWN)] as const)))
  const known = Array.from({ length: KNOWN }, newToken)
  for (const tokens of all.values()) for (const token of known) await tokens.verify(token)
  const costs = new Map<number, number[]>(SIZES.map((size) => [size, []]))
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [...all] : [...all].toReversed()
    for (const [size, tokens] of order) costs.get(size)?.push(await costOf(tokens, known))
  }
  return { 'a token seen before': slopes('tokens seen', [{ what: 'µs of CPU', values: costs, most: 1.25 }]) }
}

async function afterSeeing(count: number): Promise<Tokens> {
  const keys = { current: [{ kid: 'test', secret: new Uint8Array(KEY) }] }
  const tokens = createTokens({ keys, lifetimeSeconds: 3600, clock: systemClock })
  for (let seen = 0; seen < count; seen++) await tokens.verify(newToken())
  return tokens
}

/** Each call has its token in a text of its own, as a request has it. */
async function costOf(tokens: Tokens, known: readonly string[]): Promise<number> {
  const headers = known.map((token) => `Bearer ${token}`)
  const before = process.cpuUsage()
  for (let call = 0; call < CALLS; call++) {
    const verified = tokens.verify(headers[call % KNOWN]?.slice('Bearer '.length) ?? '')
    if (verified instanceof Promise) throw new Error(`${(await verified).username} was not seen before`)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / CALLS
}

function newToken(): string {
  const payload = claims({ sub: 'admin', role: 'ROLE_ADMIN', jti: randomUUID() })
  return forge(payload, HEADER, 'sha512', KEY.toString('base64url'))
}
