import { expect } from 'vitest'
import { type Answer, call } from '../support/client.ts'
import { postJson } from '../support/events.ts'
import { expectResponse } from './webhook-signatures.ts'

const MESSAGE = 'Rate limit exceeded'

/** More than any limit here lets through, whenever the minute turns. */
const ENOUGH = 300

/** A call by way of this machine, which is a trusted proxy. */
export function postFrom(address: string, path: string, body: string, headers: object = {}): Promise<Answer> {
  return call(path, postJson(body, { 'x-forwarded-for': address, ...headers }))
}

/** Sends what nobody signed until the limit says no; how many calls were let through, and the refusal. */
export async function callUntilRefused(path: string, address: string) {
  for (let through = 0; through < ENOUGH; through++) {
    const answer = await postFrom(address, path, '{}', { 'x-signature': 'none' })
    if (answer.status === 429) return { through, answer }
  }
  throw new Error(`${path} has no limit`)
}

/** The answer beyond the limit, as the endpoint words its errors. */
export function expectLimited(answer: Answer, kind: 'json' | 'text'): void {
  if (kind === 'json') expectResponse(answer, 429, MESSAGE)
  else expect([answer.status, answer.text]).toEqual([429, MESSAGE])
  expect(answer.headers['retry-after']).toMatch(/^[1-9]\d?$/)
}
