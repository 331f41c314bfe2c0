import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { AuthService } from '../../proto/gen/gatehouse/v1/auth_pb.ts'
import { Health, HealthCheckResponse_ServingStatus as State } from '../../proto/gen/grpc/health/v1/health_pb.ts'
import { ServerReflection } from '../../proto/gen/grpc/reflection/v1/reflection_pb.ts'
import { claims, forge } from '../support/forge.ts'
import { bearerField, callUnary, openDuplex, openStream } from '../support/grpc-client.ts'

const { serverReflectionInfo } = ServerReflection.method
const LIST = { messageRequest: { case: 'listServices', value: '*' } } as const
const now = () => Math.floor(Date.now() / 1000)

describe('G05 a token that expires during a stream', () => {
  it('ends it with UNAUTHENTICATED, although nothing is sent any more', async () => {
    const exp = now() + 2
    const stream = openDuplex(serverReflectionInfo, LIST, bearerField(forge(claims({ exp }))))
    const { code, text, rich, messages } = await stream.ended
    expect([code, text]).toEqual(['UNAUTHENTICATED', 'JWT token has expired'])
    expect(rich).toMatchObject({ reason: 'TOKEN_EXPIRED', facts: { expiredAt: new Date(exp * 1000).toISOString() } })
    expect(messages).toHaveLength(1)
    expect(Date.now()).toBeGreaterThanOrEqual(exp * 1000)
  })

  it('does not end it before a year', async () => {
    const stream = openDuplex(serverReflectionInfo, LIST, bearerField(forge(claims({ exp: now() + 31_536_000 }))))
    await vi.waitUntil(() => stream.messages.length === 1, 20_000)
    const isOver = stream.ended.then(() => true)
    expect(await Promise.race([isOver, setTimeout(300, false)])).toBe(false)
    stream.cancel()
    expect((await stream.ended).code).toBe('CANCELLED')
  })
})

describe('G05 without a token', () => {
  it('the contract is refused', async () => {
    const { code, rich, messages } = await openDuplex(serverReflectionInfo, LIST).ended
    expect([code, rich?.reason, messages]).toEqual(['UNAUTHENTICATED', 'TOKEN_MISSING', []])
  })

  it.each(['', AuthService.typeName, Health.typeName])('health is shown: "%s"', async (service) => {
    const { code, messages } = await callUnary(Health.method.check, { service })
    expect([code, messages[0]?.status]).toEqual(
      service === Health.typeName ? ['NOT_FOUND', undefined] : ['OK', State.SERVING],
    )
  })

  it('the health of all services is shown as well', async () => {
    const { messages } = await callUnary(Health.method.list, {})
    const services = ['AuthService', 'SecureService', 'WebhookEventService']
    const names = ['', ...services.map((name) => `gatehouse.v1.${name}`)]
    expect(Object.keys(messages[0]?.statuses ?? {}).sort()).toEqual(names)
  })

  it('each change of the health is shown as well', async () => {
    const watch = openStream(Health.method.watch, { service: '' })
    await vi.waitUntil(() => watch.messages.length === 1, 20_000)
    expect(watch.messages[0]?.status).toBe(State.SERVING)
    watch.cancel()
    await watch.ended
  })
})
