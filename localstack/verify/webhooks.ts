import { Buffer } from 'node:buffer'
import { prove } from '../senders/prove.ts'
import { SENDERS } from '../senders/table.ts'
import { type Check, holds, Refuted, Untried } from './check.ts'
import type { DeployedStage, OwnSender } from './deployed-stage.ts'
import { answeredWith, makerOf, type StageReply } from './reply.ts'

interface SignedEvent {
  readonly eventId: string
  readonly sender?: OwnSender
  readonly body: Buffer
  readonly isForged?: boolean
}

/** Sends a webhook, signed now. It counts as left behind unless it is refused. */
export async function sendEvent(
  stage: DeployedStage,
  { sender = 'order-status', eventId, body, isForged = false }: SignedEvent,
): Promise<StageReply> {
  const path = `/webhooks/${sender}`
  const message = { headers: { 'content-type': 'application/json' }, body }
  const credentials = stage.credentials(sender)
  const url = new URL(path, stage.url).href
  const signing = { name: sender, sender: SENDERS[sender], credentials, url, signedAt: new Date(), isForged }
  const { headers } = prove(message, signing)
  let isRefused = false
  try {
    const reply = await stage.call(path, { method: 'POST', headers, body })
    isRefused = reply.status >= 400 && reply.status < 500
    return reply
  } finally {
    if (!isRefused) stage.leave(sender, eventId)
  }
}

/** An event about an order of its own. */
export function orderEvent(eventId: string, fields: object = {}): SignedEvent {
  return { eventId, body: Buffer.from(JSON.stringify({ eventId, orderId: eventId, status: 'SHIPPED', ...fields })) }
}

export function pathOfEvent(sender: OwnSender, eventId: string): string {
  return `/api/webhooks/events/${sender}/${encodeURIComponent(eventId)}`
}

export const tryAccepted: Check = async (stage) => {
  const answer = answeredWith(200, await sendEvent(stage, orderEvent(stage.newEventId())))
  holds(Object(answer.json).success === true, '200, but no success')
  return '200'
}

export const tryDuplicate: Check = async (stage) => {
  const event = orderEvent(stage.newEventId())
  const [first, second] = [await sendEvent(stage, event), await sendEvent(stage, event)]
  const isTold = (answer: StageReply) => Object(answeredWith(200, answer).json).message === 'Duplicate event ignored'
  holds(!isTold(first), 'the first one is called a duplicate')
  holds(isTold(second), '200 twice, but the second is not called a duplicate')
  return '200, and told'
}

export const tryForgedSignature: Check = async (stage) => {
  const answer = await sendEvent(stage, { ...orderEvent('verify-forged'), isForged: true })
  const seen = `${answer.status}, ${makerOf(answer)}`
  const isRefused = [400, 401].includes(answer.status) && /^ours, SIGNATURE_/.test(makerOf(answer))
  holds(isRefused, `${seen}; wanted 401 or 400 for the signature`)
  return seen
}

export const tryEscapedId: Check = async (stage) => {
  const headers = await stage.admin()
  const eventId = stage.newEventId('/a?b')
  answeredWith(200, await sendEvent(stage, orderEvent(eventId, { orderId: eventId.replace(/\W/g, '-') })))
  const { json } = answeredWith(200, await stage.call(pathOfEvent('order-status', eventId), { headers }))
  holds(Object(json).eventId === eventId, '200, but of another event')
  return 'found again with %2F and %3F in its path'
}

/** How long an event may take, in milliseconds, and how often it is looked at. */
const PATIENCE: Waiting = { forAll: 60_000, between: 1000 }

export const tryProcessed: Check = async (stage) => {
  const headers = await stage.admin()
  const eventId = stage.newEventId()
  answeredWith(200, await sendEvent(stage, orderEvent(eventId)))
  const milliseconds = await waitFor(stage, PATIENCE, async () => {
    const { json } = answeredWith(200, await stage.call(pathOfEvent('order-status', eventId), { headers }))
    return { isThere: Object(json).status === 'PROCESSED', seen: 'not PROCESSED' }
  })
  return { seen: 'PROCESSED', figures: { processedAfterMilliseconds: milliseconds } }
}

export const tryRetried: Check = async (stage) => {
  if (!stage.extras.retry) throw new Untried('--retry tries it, where the first delay is below a minute')
  const headers = await stage.admin()
  const [transactionId, eventId] = [stage.newEventId(), stage.newEventId()]
  answeredWith(200, await sendEvent(stage, paymentEvent(transactionId, { transactionId, orderId: 'verify-a' })))
  answeredWith(500, await sendEvent(stage, paymentEvent(eventId, { transactionId, orderId: 'verify-b' })))
  const milliseconds = await waitFor(stage, PATIENCE, async () => {
    const { json } = answeredWith(200, await stage.call(pathOfEvent('payment', eventId), { headers }))
    return { isThere: Number(Object(json).attempts) > 1, seen: 'no second attempt' }
  })
  return { seen: 'a second attempt', figures: { retriedAfterMilliseconds: milliseconds } }
}

/** Fails where the transaction is that of another order. */
export function paymentEvent(eventId: string, fields: object): SignedEvent {
  const body = { eventId, status: 'COMPLETED', amount: 1, currency: 'EUR', ...fields }
  return { sender: 'payment', eventId, body: Buffer.from(JSON.stringify(body)) }
}

interface Waiting {
  /** In milliseconds, as the next. */
  readonly forAll: number
  readonly between: number
}

/** @returns after how many milliseconds it was there. @throws Refuted when it was not in time */
export async function waitFor(
  stage: DeployedStage,
  { forAll, between }: Waiting,
  look: () => Promise<{ readonly isThere: boolean; readonly seen: string }>,
): Promise<number> {
  const start = stage.now()
  for (;;) {
    const { isThere, seen } = await look()
    const milliseconds = Math.round(stage.now() - start)
    if (isThere) return milliseconds
    if (milliseconds >= forAll) throw new Refuted(`${seen} after ${forAll / 1000} s`)
    await stage.pause(between)
  }
}
