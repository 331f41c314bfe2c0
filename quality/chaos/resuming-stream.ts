import { Buffer } from 'node:buffer'
import { setTimeout } from 'node:timers/promises'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { Client, credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js'
import {
  WatchWebhookEventsRequestSchema,
  type WatchWebhookEventsResponse,
  WatchWebhookEventsResponseSchema,
  WebhookEventStatusSchema,
} from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { richStatusOf } from '../../test/support/grpc-status.ts'

/** What does not pass by itself. */
const REFUSALS: readonly number[] = [status.INVALID_ARGUMENT, status.UNAUTHENTICATED, status.PERMISSION_DENIED]

const PATH = '/gatehouse.v1.WebhookEventService/WatchWebhookEvents'

/** Watches webhook events over gRPC; when the stream ends, it resumes. */
export class ResumingStream {
  /** How often each event was told. */
  readonly told = new Map<string, number>()
  /** What was said of each event last. */
  readonly statuses = new Map<string, string>()
  /** How each of its streams ended that it did not end itself: the status, and what its details tell. */
  readonly ends: string[] = []
  /** How often it came back to its place. */
  resumed = 0
  readonly #client: Client
  readonly #metadata = new Metadata()
  #cursor = ''
  #isStopped = false
  #cancel = () => {}

  constructor(token: string, address: string) {
    // The next try is to come at once, whatever the last ones came to.
    const options = { 'grpc.max_reconnect_backoff_ms': 200, 'grpc.initial_reconnect_backoff_ms': 50 }
    this.#client = new Client(address, credentials.createInsecure(), options)
    this.#metadata.set('authorization', `Bearer ${token}`)
  }

  /** Settles when it watches. */
  async connect(): Promise<void> {
    const watching = Promise.withResolvers<void>()
    void this.#watch(watching.resolve)
    await watching.promise
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
    this.#client.close()
  }

  async #watch(watching: () => void): Promise<void> {
    while (!this.#isStopped) {
      await this.#follow(watching)
      await setTimeout(100)
    }
  }

  /** Settles when the stream is over. @throws ServiceError when the caller is refused */
  #follow(watching: () => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const request = Buffer.from(
      toBinary(WatchWebhookEventsRequestSchema, create(WatchWebhookEventsRequestSchema, { resumeAfter: this.#cursor })),
    )
    const stream = this.#client.makeServerStreamRequest(
      PATH,
      (bytes: Buffer) => bytes,
      (bytes: Buffer) => fromBinary(WatchWebhookEventsResponseSchema, bytes),
      request,
      this.#metadata,
    )
    this.#cancel = () => stream.cancel()
    if (this.#cursor !== '') stream.once('data', () => this.resumed++)
    stream.on('data', (message: WatchWebhookEventsResponse) => {
      watching()
      this.#note(message)
    })
    stream.on('error', (error: ServiceError) => {
      if (!this.#isStopped) this.ends.push(endOf(error))
      if (REFUSALS.includes(error.code)) reject(error)
      else resolve()
    })
    stream.on('end', resolve)
    return promise
  }

  #note({ cursor, change }: WatchWebhookEventsResponse): void {
    this.#cursor = cursor
    if (change.case !== 'event') return
    const { eventId, status } = change.value
    this.told.set(eventId, (this.told.get(eventId) ?? 0) + 1)
    this.statuses.set(eventId, WebhookEventStatusSchema.value[status]?.localName ?? '')
  }
}

function endOf({ code, metadata }: ServiceError): string {
  const { reason, retrySeconds } = richStatusOf(metadata)
  return `${status[code]}, ${reason}, again after ${retrySeconds} s`
}
