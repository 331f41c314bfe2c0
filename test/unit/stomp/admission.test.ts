import { expect, it } from 'vitest'
import { createAdmission } from '../../../lib/stomp/limits.ts'

const FULL = expect.objectContaining({ code: 'TOO_MANY_REQUESTS', details: { retryAfterSeconds: 5 } })

it('a place that is given back is one place', () => {
  const { enter } = createAdmission(10, 2)
  const leave = enter('alice')
  enter('alice')
  leave()
  enter('alice')
  expect(() => enter('alice')).toThrow(FULL)
})

it('T08 there is a total number of places, for any names', () => {
  const { enter } = createAdmission(2, 2)
  const leave = enter('alice')
  enter('bob')
  expect(() => enter('carol')).toThrow(expect.objectContaining({ code: 'UNAVAILABLE' }))
  leave()
  expect(() => enter('carol')).not.toThrow()
})
