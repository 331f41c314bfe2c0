import { Buffer } from 'node:buffer'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Metadata, Server, ServerCredentials, type ServerWritableStream, status } from '@grpc/grpc-js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { feedNotices } from '../../../../../localstack/commands/listen/feed.ts'
import { credentialsFor } from '../../../../../localstack/commands/listen/stage.ts'
import {
  type WatchWebhookEventsRequest,
  WatchWebhookEventsRequestSchema,
  type WatchWebhookEventsResponse,
  WatchWebhookEventsResponseSchema,
} from '../../../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { fixedClock } from '../../../../support/fakes/clock.ts'
import { virtualTime } from '../../../../support/fakes/timers.ts'

type WatchCall = ServerWritableStream<WatchWebhookEventsRequest, WatchWebhookEventsResponse>

let server: Server | undefined

afterEach(() => server?.forceShutdown())

/** A listener of a container that answers each watch like this. */
async function feedOf(watch: (call: WatchCall) => void, given: NodeJS.ProcessEnv = { GATEHOUSE_API_KEY: 'ghk_1_x' }) {
  const method = {
    path: '/gatehouse.v1.WebhookEventService/WatchWebhookEvents',
    requestStream: false,
    responseStream: true,
    requestSerialize: (message: WatchWebhookEventsRequest) =>
      Buffer.from(toBinary(WatchWebhookEventsRequestSchema, message)),
    requestDeserialize: (bytes: Buffer) => fromBinary(WatchWebhookEventsRequestSchema, bytes),
    responseSerialize: (message: WatchWebhookEventsResponse) =>
      Buffer.from(toBinary(WatchWebhookEventsResponseSchema, message)),
    responseDeserialize: (bytes: Buffer) => fromBinary(WatchWebhookEventsResponseSchema, bytes),
  }
  server = new Server()
  server.addService({ watchWebhookEvents: method }, { watchWebhookEvents: watch })
  const bound = Promise.withResolvers<number>()
  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
    error ? bound.reject(error) : bound.resolve(port),
  )
  const address = new URL(`http://127.0.0.1:${await bound.promise}`)
  const time = virtualTime()
  const credentials = credentialsFor(address, undefined, given, fixedClock())
  return { notices: feedNotices({ address, credentials, source: 'stripe', timers: time.timers }), time }
}

const event = { id: 7n, source: 'stripe', eventId: 'evt_1', eventType: 'charge.succeeded' }
const change = create(WatchWebhookEventsResponseSchema, { cursor: 'c1', change: { case: 'event', value: event } })
const heartbeat = create(WatchWebhookEventsResponseSchema, { cursor: 'c2', change: { case: 'heartbeat', value: {} } })

const ending =
  (code: status, details = '') =>
  (call: WatchCall) =>
    void call.emit('error', { code, details, metadata: new Metadata() })

describe('the event stream', () => {
  it('is requested with the credentials, from the cursor on', async () => {
    const calls: WatchCall[] = []
    const { notices } = await feedOf((call) => {
      calls.push(call)
      call.write(change)
      call.write(heartbeat)
    })
    const heard: unknown[] = []
    for await (const notice of notices('c0')) if (heard.push(notice) === 2) break
    expect(heard).toEqual([
      { event: { ...event, id: '7' }, cursor: 'c1' },
      { event: undefined, cursor: 'c2' },
    ])
    expect(calls[0]?.request).toMatchObject({ resumeAfter: 'c0', source: 'stripe' })
    expect(calls[0]?.metadata.getMap()).toMatchObject({ 'x-api-key': 'ghk_1_x' })
    expect(calls[0]?.metadata.get('authorization')).toEqual([])
  })

  it.each([
    [status.UNAVAILABLE, 'StageAway', 'ended: UNAVAILABLE'],
    [status.INVALID_ARGUMENT, 'CursorRefused', 'too old'],
    [status.OUT_OF_RANGE, 'CursorRefused', 'too old'],
    [status.PERMISSION_DENIED, 'StartError', 'refuses: too old'],
    [status.UNIMPLEMENTED, 'StartError', 'use --poll'],
    [status.UNAUTHENTICATED, 'StartError', 'The API key in GATEHOUSE_API_KEY is not, or no longer, good'],
  ])('that ends with status %s is reported as %s', async (code, name, text) => {
    const { notices } = await feedOf(ending(code, 'too old'))
    const first = notices('c0')[Symbol.asyncIterator]().next()
    await expect(first).rejects.toMatchObject({ name, message: expect.stringContaining(text) })
  })

  it('that ends normally is requested again', async () => {
    const { notices } = await feedOf((call) => call.end())
    await expect(notices('c0')[Symbol.asyncIterator]().next()).rejects.toMatchObject({ name: 'StageAway' })
  })

  it('counts as dead when it is silent for longer than its heartbeats', async () => {
    const { notices, time } = await feedOf(() => {})
    const first = notices('c0')[Symbol.asyncIterator]().next()
    const ended = expect(first).rejects.toMatchObject({ name: 'StageAway', message: 'the event stream is silent' })
    await vi.waitUntil(() => time.pending() > 0)
    time.pass(75_000)
    await ended
  })
})
