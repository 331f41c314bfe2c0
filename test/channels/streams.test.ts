import { describe, expect, it } from 'vitest'
import { Health } from '../../proto/gen/grpc/health/v1/health_pb.ts'
import { ServerReflection } from '../../proto/gen/grpc/reflection/v1/reflection_pb.ts'
import { claims, forge } from '../support/forge.ts'
import { bearerField, callUnary, openDuplex } from '../support/grpc-client.ts'

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
})

describe('G05 without a token', () => {
  it('the contract is refused', async () => {
    const { code, rich, messages } = await openDuplex(serverReflectionInfo, LIST).ended
    expect([code, rich?.reason, messages]).toEqual(['UNAUTHENTICATED', 'TOKEN_MISSING', []])
  })

  it('health is shown, and that of all services', async () => {
    expect((await callUnary(Health.method.check, { service: Health.typeName })).code).toBe('NOT_FOUND')
    const { messages } = await callUnary(Health.method.list, {})
    const services = ['AuthService', 'SecureService', 'WebhookEventService']
    const names = ['', ...services.map((name) => `gatehouse.v1.${name}`)]
    expect(Object.keys(messages[0]?.statuses ?? {}).sort()).toEqual(names)
  })
})
