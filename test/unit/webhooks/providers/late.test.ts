import { describe, expect, it } from 'vitest'
import { receiverFor } from '../../../support/webhook-receiver.ts'
import { callOf, rows } from './row-calls.ts'
import type { Row } from './rules.ts'

/** How long a time is good, and how long the provider may retry with it, in seconds. */
const LATE: Readonly<Record<string, readonly [tolerance: number, horizon: number]>> = {
  calendly: [180, 72 * 3600],
  gitlab: [300, 72 * 3600],
  linear: [60, 72 * 3600],
  paddle: [5, 72 * 3600],
  workos: [180, 72 * 3600],
  zoom: [300, 2 * 3600],
}

/** What becomes of a call that was signed so many seconds ago, and whether its event says that it came late. */
async function received(row: Row, age: number): Promise<readonly unknown[]> {
  const receiver = receiverFor(row.name)
  receiver.clock.advance(age * 1000)
  const outcome = await receiver.receive(callOf(row))
  return [outcome, receiver.events()[0]?.proof.stale]
}

describe('the first received call of an event, if it is late', () => {
  const lateRows = rows.flatMap(([key, row]) => (LATE[key] ? [[key, row, ...LATE[key]] as const] : []))

  it.each(lateRows)('of %s is stored with a mark, until its provider gives up', async (_, row, tolerance, horizon) => {
    expect(await received(row, tolerance)).toEqual(['stored', undefined])
    expect(await received(row, tolerance + 1)).toEqual(['stored', true])
    expect(await received(row, horizon)).toEqual(['stored', true])
    expect(await received(row, horizon + 1)).toEqual(['refused', undefined])
  })

  const strict = ['generic', 'hubspot', 'openai', 'plaid', 'slack', 'standard-webhooks', 'stripe', 'svix', 'payment']

  it.each(rows.filter(([key]) => strict.includes(key)))(
    'of %s is refused: each try has its own time',
    async (_, row) => {
      expect(await received(row, 300)).toEqual(['stored', undefined])
      expect(await received(row, 301)).toEqual(['refused', undefined])
    },
  )
})
