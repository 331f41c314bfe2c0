import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { deleteKey, makeKey, withKey } from '../../test/support/api-keys.ts'
import { call } from '../../test/support/client.ts'
import { openStream } from '../../test/support/grpc-client.ts'
import { serve } from '../../test/support/served.ts'
import { freeOffset, startStack, temporaryFolder } from '../../test/support/stack.ts'

const MINUTE = 60_000

const data = temporaryFolder()
let stack: Awaited<ReturnType<typeof startStack>>

beforeAll(async () => {
  stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: data.path })
  serve({ http: stack.ready.http, ready: stack.ready, jwtSecret: '' })
})

afterAll(async () => {
  await stack.stop()
  data.remove()
})

/** A session, and what it is told at its end. */
function session(key: string): Promise<string> {
  const socket = new WebSocket(stack.ready.ws, ['v12.stomp'])
  const { promise, resolve } = Promise.withResolvers<string>()
  socket.on('open', () => socket.send(`CONNECT\naccept-version:1.2\nx-api-key:${key}\n\n\0`))
  socket.on('message', (frame) => String(frame).startsWith('ERROR') && resolve(String(frame)))
  return promise
}

describe('K19 a deleted key', () => {
  it('is refused within 60 seconds over HTTP, gRPC and STOMP, and its open streams and connections end', async () => {
    const { id, key } = await makeKey()
    const over = openStream(WebhookEventService.method.watchWebhookEvents, {}, { 'x-api-key': key }).ended
    const told = session(key)
    const read = async () => (await call('/api/webhooks/events', withKey(key))).status
    // What was read of the key is as fresh as it can be when it goes.
    await setTimeout(1000)
    expect(await read()).toBe(200)
    await deleteKey(id)
    const late = setTimeout(MINUTE, 'too late')
    expect(await Promise.race([over, late])).toMatchObject({ code: 'UNAUTHENTICATED', text: 'Invalid API key' })
    expect(await Promise.race([told, late])).toContain('"message":"Invalid API key"')
    await expect.poll(read, { timeout: MINUTE, interval: 1000 }).toBe(401)
  })
})
