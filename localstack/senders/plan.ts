import { randomUUID } from 'node:crypto'
import { env } from 'node:process'
import * as z from 'zod/mini'
import { fail } from '../../lib/errors.ts'
import { webhookFormat } from '../../lib/http/routing.ts'
import type { SampleMessage } from '../../lib/webhooks/sample.ts'
import { apiClient } from '../api-client.ts'
import type { LocalRun } from '../local-run.ts'
import { operatorOf } from '../operator/operator.ts'
import type { SendOrder } from '../send-options.ts'
import { bytesOf, newMessage, valuesOf } from './message.ts'
import { type BodyValue, textAt, withSetting } from './values.ts'

/** A message, and the expected status if its proof holds. */
export interface Planned {
  readonly message: SampleMessage
  readonly status: number
}

/**
 * The messages of an order, each created when its turn comes.
 * @throws StartError when an event to send again is not available
 */
export async function* plannedMessages(order: SendOrder, run: LocalRun): AsyncGenerator<Planned> {
  const { settings } = order
  if (order.resend !== undefined) {
    yield accepted(changed(await received(order.resend, order, run), order, settings))
    return
  }
  for (let index = 0; index < order.count; index++) {
    const message = changed(newEvent(order), order, settings)
    yield accepted(message)
    if (order.failsAt)
      yield failing(order, changed(newEvent(order), order, [...settings, sameAt(order.failsAt, message, order)]))
  }
}

function accepted(message: SampleMessage): Planned {
  return { message, status: 200 }
}

/** Only our own senders get an error when their event fails. */
function failing({ name }: SendOrder, message: SampleMessage): Planned {
  const isTold = webhookFormat(name) === 'webhook'
  return isTold ? { message, status: fail('PROCESSING_FAILED', { reason: '' }).status } : accepted(message)
}

function newEvent({ sender, event, age }: SendOrder): SampleMessage {
  return newMessage(sender, event, { id: randomUUID(), at: new Date(Date.now() - age * 1000) })
}

/** Keeps the bytes of a body that has no changes. */
function changed(message: SampleMessage, { sender }: SendOrder, settings: readonly BodyValue[]): SampleMessage {
  if (settings.length === 0) return message
  const values = settings.reduce<unknown>(withSetting, valuesOf(sender, message.body))
  return { ...message, body: bytesOf(sender, values) }
}

/** The value at a path of another message. */
function sameAt(path: readonly string[], { body }: SampleMessage, { sender }: SendOrder): BodyValue {
  return { path, value: textAt(valuesOf(sender, body), path) }
}

const detail = z.object({ headers: z.record(z.string(), z.string()) })

/** An event as the service received it. */
async function received(eventId: string, { name, url }: SendOrder, run: LocalRun): Promise<SampleMessage> {
  const address = url ?? run.address
  const api = apiClient(address, operatorOf(address, undefined, env))
  const path = `/api/webhooks/events/${name}/${encodeURIComponent(eventId)}`
  const { headers } = await api.get(path, detail)
  return { headers, body: await api.bytes(`${path}/payload`) }
}
