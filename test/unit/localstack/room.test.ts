import { EventEmitter } from 'node:events'
import { expect, it } from 'vitest'
import { roomFor } from '../../../localstack/room.ts'

function call(complete: boolean) {
  return { request: Object.assign(new EventEmitter(), { complete }), answer: new EventEmitter() }
}

it('is full with as many as it is for, and whoever leaves makes room for one', () => {
  const room = roomFor(2)
  const [first, second] = [call(true), call(true)]
  room.enter(first.request, first.answer)
  expect(room.isFull).toBe(false)
  room.enter(second.request, second.answer)
  expect(room.isFull).toBe(true)
  first.answer.emit('close')
  first.answer.emit('close')
  expect(room.isFull).toBe(false)
})

it('counts nobody whose request has not arrived as a whole', () => {
  const room = roomFor(1)
  const { request, answer } = call(false)
  room.enter(request, answer)
  expect(room.isFull).toBe(false)
  request.emit('end')
  expect(room.isFull).toBe(true)
  answer.emit('close')
  expect(room.isFull).toBe(false)
})

it('counts nobody who goes before that', () => {
  const room = roomFor(1)
  const { request, answer } = call(false)
  room.enter(request, answer)
  answer.emit('close')
  expect(room.isFull).toBe(false)
})
