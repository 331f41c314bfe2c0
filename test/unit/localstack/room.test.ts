import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { roomFor } from '../../../localstack/room.ts'

it('as many as there is room for are inside, and whoever leaves makes room for one', () => {
  const room = roomFor(2)
  const first = new EventEmitter()
  expect([first, new EventEmitter(), new EventEmitter()].map(room.enter)).toEqual([true, true, false])
  first.emit('close')
  first.emit('close')
  expect([new EventEmitter(), new EventEmitter()].map(room.enter)).toEqual([true, false])
})
