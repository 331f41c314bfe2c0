import { Buffer } from 'node:buffer'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { ChannelCredentials, Client, type ClientReadableStream, Metadata, status } from '@grpc/grpc-js'
import type { Timers } from '../../../lib/runtime/async.ts'
import {
  WatchWebhookEventsRequestSchema,
  type WatchWebhookEventsResponse,
  WatchWebhookEventsResponseSchema,
} from '../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { StartError } from '../../errors.ts'
import { type NamedEvent, StageAway, type StageCredentials } from './stage.ts'

const PATH = '/gatehouse.v1.WebhookEventService/WatchWebhookEvents'

/** The service sends at least every 30 seconds: after this time, in milliseconds, the connection is dead. */
const SILENCE_MS = 75_000

interface FeedParts {
  readonly address: URL
  readonly credentials: StageCredentials
  /** Only events of this source. */
  readonly source: string | undefined
  readonly timers: Timers
}

/** The stream of changes over gRPC. */
export function feedNotices({ address, credentials, source, timers }: FeedParts): Notices {
  const isSecure = address.protocol === 'https:'
  const target = `${address.hostname}:${address.port || (isSecure ? 443 : 80)}`

  return async function* (cursor) {
    const metadata = metadataOf(await credentials.grpc())
    const request = create(WatchWebhookEventsRequestSchema, { resumeAfter: cursor, source: source ?? '' })
    const client = new Client(target, isSecure ? ChannelCredentials.createSsl() : ChannelCredentials.createInsecure(), {
      // Each try opens its own connection: a shared one would wait out the back-off of the last failure.
      'grpc.use_local_subchannel_pool': 1,
    })
    const stream = client.makeServerStreamRequest<Buffer, WatchWebhookEventsResponse>(
      PATH,
      (bytes) => bytes,
      (bytes) => fromBinary(WatchWebhookEventsResponseSchema, bytes),
      Buffer.from(toBinary(WatchWebhookEventsRequestSchema, request)),
      metadata,
    )
    // A canceled stream emits an error after its last reader has left.
    stream.on('error', () => {})
    try {
      for await (const message of untilSilent(stream, timers)) yield noticeOf(message)
    } catch (error) {
      throw classified(error, address, credentials)
    } finally {
      stream.cancel()
      client.close()
    }
    throw new StageAway(`the event stream at ${address.host} ended`)
  }
}

function metadataOf(fields: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata()
  for (const [name, value] of Object.entries(fields)) metadata.set(name, value)
  return metadata
}

/** The messages of a stream, which counts as dead after a silence that is too long. */
async function* untilSilent<M>(stream: ClientReadableStream<M>, timers: Timers): AsyncGenerator<M> {
  const messages: AsyncIterator<M> = stream[Symbol.asyncIterator]()
  for (;;) {
    const { promise: silence, reject } = Promise.withResolvers<never>()
    const cancel = timers.after(SILENCE_MS, () => reject(new StageAway('the event stream is silent')))
    const next = await Promise.race([messages.next(), silence]).finally(cancel)
    if (next.done) return
    yield next.value
  }
}

function noticeOf({ cursor, change }: WatchWebhookEventsResponse): HeardNotice {
  if (change.case !== 'event') return { event: undefined, cursor }
  const { id, source, eventId, eventType } = change.value
  return { event: { id: id.toString(), source, eventId, eventType }, cursor }
}

/** What an error of the stream means for a listener; credentials are renewed here. @throws StartError */
function classified(error: unknown, { host }: URL, credentials: StageCredentials): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const details = error instanceof Error && 'details' in error ? String(error.details) : ''
  if (typeof code !== 'number') return error
  if (code === status.PERMISSION_DENIED) return new StartError(`The event stream at ${host} refuses: ${details}`)
  if (code === status.INVALID_ARGUMENT || code === status.OUT_OF_RANGE) return new CursorRefused(details)
  if (code === status.UNIMPLEMENTED) return new StartError(`There is no event stream at ${host}: use --poll.`)
  if (code === status.UNAUTHENTICATED) credentials.renew()
  return new StageAway(`the event stream at ${host} ended: ${status[code]}`, { cause: error })
}

/** A change of an event, or none for a while, and the cursor to resume after once it is taken. */
export interface HeardNotice {
  readonly event: NamedEvent | undefined
  readonly cursor: string
}

/** Changes from a cursor on. @throws StageAway, CursorRefused, StartError */
export type Notices = (cursor: string) => AsyncIterable<HeardNotice>

/** The stream does not take the cursor, or is not offered there. */
export class CursorRefused extends Error {
  override readonly name = 'CursorRefused'
}
