import { describe, expect, it } from 'vitest'
import type { CallContext } from '../../../lib/grpc/call.ts'
import { createHealth } from '../../../lib/grpc/server.ts'
import { HealthCheckResponse_ServingStatus as State } from '../../../proto/gen/grpc/health/v1/health_pb.ts'

function callUntil(signal: AbortSignal): CallContext {
  return { principal: undefined, from: () => '', signal: () => signal }
}

function open(name: string) {
  const health = createHealth(['a.B'])
  const caller = new AbortController()
  const { check, list, watch } = health.handlers
  const call = callUntil(caller.signal)
  const request = { service: name } as Parameters<typeof check>[0]
  return {
    health,
    caller,
    check: () => check(request),
    list: () => list(),
    states: watch(request, call)[Symbol.asyncIterator](),
  }
}

describe('health', () => {
  it.each(['', 'a.B'])('of "%s" is SERVING until the server stops', (name) => {
    const { check, health } = open(name)
    expect(check()).toEqual({ status: State.SERVING })
    health.stop()
    expect(check()).toEqual({ status: State.NOT_SERVING })
  })

  it('of an unknown service is NOT_FOUND', () => {
    expect(open('a.C').check).toThrow(expect.objectContaining({ code: 'SERVICE_NOT_FOUND' }))
  })

  it('lists the server and its services', () => {
    const { list } = open('')
    expect(list()).toEqual({ statuses: { '': { status: State.SERVING }, 'a.B': { status: State.SERVING } } })
  })

  it.each([
    ['a.B', [State.SERVING, State.NOT_SERVING]],
    ['a.C', [State.SERVICE_UNKNOWN, State.SERVICE_UNKNOWN]],
  ])('a watch of %s sends the present state, and then each change', async (name, expected) => {
    const { states, health } = open(name)
    const first = await states.next()
    health.stop()
    const second = await states.next()
    expect([first.value, second.value]).toEqual(expected.map((status) => ({ status })))
  })

  it('a watch ends with its call', async () => {
    const { states, caller } = open('')
    await states.next()
    const next = states.next()
    caller.abort()
    await expect(next).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }))
  })
})
