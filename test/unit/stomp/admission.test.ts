import { expect, it } from 'vitest'
import { createAdmission } from '../../../lib/stomp/admission.ts'

const FULL = expect.objectContaining({ code: 'TOO_MANY_REQUESTS', details: { retryAfterSeconds: 5 } })

it('a name has its places and no others', () => {
  const { enter } = createAdmission(10, 2)
  enter('alice')
  enter('alice')
  expect(() => enter('alice')).toThrow(FULL)
  expect(() => enter('bob')).not.toThrow()
})

it('a place that is given back is one place', () => {
  const { enter } = createAdmission(10, 2)
  const leave = enter('alice')
  enter('alice')
  leave()
  enter('alice')
  expect(() => enter('alice')).toThrow(FULL)
})

it('all places are free again once all were given back', () => {
  const { enter } = createAdmission(10, 2)
  for (let round = 0; round < 3; round++) for (const leave of [enter('alice'), enter('alice')]) leave()
  enter('alice')
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
