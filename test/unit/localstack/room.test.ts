import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { expect, it } from 'vitest'
import { admitOnly, roomFor } from '../../../localstack/room.ts'

function call(complete = true) {
  return { request: Object.assign(new EventEmitter(), { complete }), answer: new EventEmitter() }
}

const parsed = () => new Promise<void>((resolve) => queueMicrotask(resolve))

it('is full with as many as it is for, and whoever leaves makes room for one', async () => {
  const room = roomFor(2)
  const [first, second] = [call(), call()]
  room.enter(first.request, first.answer)
  await parsed()
  expect(room.isFull).toBe(false)
  room.enter(second.request, second.answer)
  await parsed()
  expect(room.isFull).toBe(true)
  first.answer.emit('close')
  first.answer.emit('close')
  expect(room.isFull).toBe(false)
})

it('counts nobody whose request has not arrived as a whole', async () => {
  const room = roomFor(1)
  const { request, answer } = call(false)
  room.enter(request, answer)
  await parsed()
  expect(room.isFull).toBe(false)
  request.emit('end')
  expect(room.isFull).toBe(true)
  answer.emit('close')
  expect(room.isFull).toBe(false)
})

it('a server sees what there is room for, and the rest is 503 with Retry-After', async () => {
  const server = new EventEmitter()
  const seen: unknown[] = []
  server.on('request', (request) => seen.push(request))
  admitOnly(server as Server, roomFor(1))
  const answers = [1, 2].map(() => ({
    ...call(),
    told: [] as unknown[],
    writeHead(status: number, headers: object) {
      this.told.push(status, headers)
    },
    end(body: string) {
      this.told.push(body)
    },
    once: () => {},
  }))
  for (const answer of answers) {
    server.emit('request', answer.request, answer)
    await parsed()
  }
  expect(seen).toEqual([answers[0]?.request])
  expect(answers.map(({ told }) => told)).toEqual([
    [],
    [503, { 'content-type': 'application/json', 'retry-after': '1' }, '{"message":"Service Unavailable"}'],
  ])
})
