import { expect, it } from 'vitest'
import { firstIdAt } from '../../../../lib/runtime/ids.ts'
import { changeIdOf } from '../../../../lib/webhooks/live/cursor.ts'
import { START } from '../../../support/fakes/clock.ts'

it('the position of a change has its time, and each event has its own position within the millisecond', () => {
  const [one, other] = ['event-1', 'event-2'].map((eventId) => changeIdOf({ source: 'test', eventId }, START))
  const elsewhere = changeIdOf({ source: 'another', eventId: 'event-1' }, START)
  expect(new Set([one, other, elsewhere]).size).toBe(3)
  for (const id of [one, other, elsewhere]) {
    expect(id).toBeGreaterThanOrEqual(firstIdAt(START.getTime()))
    expect(id).toBeLessThan(firstIdAt(START.getTime() + 1))
  }
})
