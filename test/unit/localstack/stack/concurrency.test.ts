import { EventEmitter } from 'node:events'
import type { Server } from 'node:http'
import { expect, it } from 'vitest'
import { admitOnly, concurrencyOf } from '../../../../localstack/stack/offline.ts'

function call(complete = true) {
  return { request: Object.assign(new EventEmitter(), { complete }), answer: new EventEmitter() }
}

const parsed = () => new Promise<void>((resolve) => queueMicrotask(resolve))

it('is full at its limit, and each call that ends frees a place', async () => {
  const room = concurrencyOf(2)
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

it('does not count a request that has not arrived completely', async () => {
  const room = concurrencyOf(1)
  const { request, answer } = call(false)
  room.enter(request, answer)
  await parsed()
  expect(room.isFull).toBe(false)
  request.emit('end')
  expect(room.isFull).toBe(true)
  answer.emit('close')
  expect(room.isFull).toBe(false)
})

it('a server accepts calls up to its limit, and answers all others with 503 and Retry-After', async () => {
  const server = new EventEmitter()
  const seen: unknown[] = []
  server.on('request', (request) => seen.push(request))
  admitOnly(server as Server, concurrencyOf(1))
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
