import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { fail } from '../../lib/errors.ts'
import { webhookFormat } from '../../lib/http/routing.ts'
import type { Occasion, Sample, SampleMessage } from '../../lib/webhooks/sample.ts'
import { serviceApi } from '../operator/api-client.ts'
import { type BodyValue, textAt, withSetting } from './table.ts'

/** @throws SyntaxError for a body that its provider cannot send */
export function valuesOf({ isForm }: Sample, body: Buffer): unknown {
  return isForm ? Object.fromEntries(new URLSearchParams(body.toString())) : JSON.parse(body.toString())
}

export function bytesOf({ isForm }: Sample, values: unknown): Buffer {
  return Buffer.from(isForm ? new URLSearchParams(Object.entries(Object(values))).toString() : JSON.stringify(values))
}

/** A new event of a provider, without its proof. */
export function newMessage(sample: Sample, event: string, occasion: Occasion): SampleMessage {
  const { headers, body, query } = sample.draft(event, occasion)
  const type = sample.isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return { headers: { 'content-type': type, ...headers }, body: bytesOf(sample, body), query }
}

/** What messages to make. */
export interface MessageOrder {
  /** As in the path. */
  readonly name: string
  readonly sender: Sample
  readonly event: string
  readonly settings: readonly BodyValue[]
  readonly count: number
  /** The id of an event to send again, instead of new ones. */
  readonly resend?: string | undefined
  /**
   * Where the body names a transaction, which here belongs to another order; undefined for events that should succeed.
   */
  readonly failsAt?: readonly string[] | undefined
  /** In seconds. */
  readonly age: number
  /** Undefined means the local run. */
  readonly url?: URL | undefined
}

/** A message, and the expected status if its proof holds. */
interface Planned {
  readonly message: SampleMessage
  readonly status: number
}

/**
 * The messages of an order, each created when its turn comes.
 * @throws StartError when an event to send again is not available
 */
export async function* plannedMessages(order: MessageOrder): AsyncGenerator<Planned> {
  const { settings, resend, failsAt, count } = order
  if (resend !== undefined) yield { message: changed(await received(resend, order), order, settings), status: 200 }
  else
    for (let index = 0; index < count; index++) {
      const message = changed(newEvent(order), order, settings)
      yield { message, status: 200 }
      const contradiction = failsAt && { path: failsAt, value: textAt(valuesOf(order.sender, message.body), failsAt) }
      if (contradiction)
        yield { message: changed(newEvent(order), order, [...settings, contradiction]), status: failureOf(order) }
    }
}

/** Only our own senders get an error when their event fails. */
function failureOf({ name }: MessageOrder): number {
  return webhookFormat(name) === 'webhook' ? fail('PROCESSING_FAILED', { reason: '' }).status : 200
}

function newEvent({ sender, event, age }: MessageOrder): SampleMessage {
  return newMessage(sender, event, { id: randomUUID(), at: new Date(Date.now() - age * 1000) })
}

/** Keeps the bytes of a body that has no changes. */
function changed(message: SampleMessage, { sender }: MessageOrder, settings: readonly BodyValue[]): SampleMessage {
  if (settings.length === 0) return message
  const values = settings.reduce<unknown>(withSetting, valuesOf(sender, message.body))
  return { ...message, body: bytesOf(sender, values) }
}

const detail = z.object({ headers: z.record(z.string(), z.string()) })

/** An event as the service received it. */
async function received(eventId: string, { name, url }: MessageOrder): Promise<SampleMessage> {
  const api = serviceApi(url)
  const path = `/api/webhooks/events/${name}/${encodeURIComponent(eventId)}`
  const { headers } = await api.get(path, detail)
  return { headers, body: await api.bytes(`${path}/payload`) }
}
