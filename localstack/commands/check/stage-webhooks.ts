import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { prove } from '../../senders/prove.ts'
import { SENDERS } from '../../senders/table.ts'
import {
  answeredWith,
  type DeployedStage,
  holds,
  type StageCheck,
  type StageReply,
  seenIn,
} from './stage-connection.ts'

const SENDER = 'order-status'

/** The largest body of a webhook, in bytes; the default of WEBHOOK_MAX_BODY_BYTES. */
const LARGEST = 4_194_304

/** What becomes of webhooks. Their events stay, each about an order of its own. */
export const WEBHOOK_CHECKS = {
  webhook: async (stage) => {
    const { json } = answeredWith(200, await send(stage, orderOf(stage.newEventId())))
    holds(Object(json).success === true, '200, but no success')
    return '200'
  },

  duplicate: async (stage) => {
    const event = orderOf(stage.newEventId())
    const [first, second] = [answeredWith(200, await send(stage, event)), answeredWith(200, await send(stage, event))]
    const isTold = ({ json }: StageReply) => Object(json).message === 'Duplicate event ignored'
    holds(!isTold(first), 'the first one is called a duplicate')
    holds(isTold(second), '200 twice, but the second is not called a duplicate')
    return '200, and reported'
  },

  'forged signature': async (stage) => {
    const seen = seenIn(await send(stage, { ...orderOf('verify-forged'), isForged: true }))
    holds(/^40[01], ours, SIGNATURE_/.test(seen), `${seen}; wanted 401 or 400 for the signature`)
    return seen
  },

  'escaped id': async (stage) => {
    const eventId = stage.newEventId('/a?b')
    answeredWith(200, await send(stage, orderOf(eventId, { orderId: eventId.replace(/\W/g, '-') })))
    holds((await read(stage, eventId))['eventId'] === eventId, '200, but of another event')
    return 'found again with %2F and %3F in its path'
  },

  processed: async (stage) => {
    const eventId = stage.newEventId()
    await stage.admin()
    answeredWith(200, await send(stage, orderOf(eventId)))
    holds((await read(stage, eventId))['status'] === 'PROCESSED', '200, but it is not PROCESSED')
    return 'PROCESSED'
  },

  'largest body': async (stage) => {
    const headers = await stage.admin()
    const eventId = stage.newEventId()
    const event = orderOf(eventId, {}, LARGEST)
    answeredWith(200, await send(stage, event))
    const { body } = answeredWith(200, await stage.call(`${pathOf(eventId)}/payload`, { headers }))
    holds(body.equals(event.body), `sent ${LARGEST} bytes, and read back ${body.length} others`)
    return `${LARGEST} bytes, read back as they were`
  },

  'body too large': async (stage) => {
    const answer = await send(stage, orderOf('verify-large', {}, LARGEST + 1))
    holds(answer.status === 413, `${seenIn(answer)}; wanted 413 for ${LARGEST + 1} bytes`)
    return seenIn(answer)
  },
} as const satisfies Readonly<Record<string, StageCheck>>

interface SignedEvent {
  readonly eventId: string
  readonly body: Buffer<ArrayBuffer>
  readonly isForged?: boolean
}

/** @param bytes of the whole body, which compression does not make much smaller */
function orderOf(eventId: string, fields: object = {}, bytes = 0): SignedEvent {
  const event = { eventId, orderId: eventId, status: 'SHIPPED', ...fields, note: '' }
  const rest = Math.max(0, bytes - JSON.stringify(event).length)
  const note = randomBytes(rest).toString('base64url').slice(0, rest)
  return { eventId, body: Buffer.from(JSON.stringify({ ...event, note })) }
}

/** Sends a webhook, signed now. It counts as left behind unless it is refused. */
async function send(stage: DeployedStage, { eventId, body, isForged = false }: SignedEvent): Promise<StageReply> {
  const path = `/webhooks/${SENDER}`
  const credentials = stage.credentials(SENDER)
  const url = new URL(path, stage.url).href
  const signing = { name: SENDER, sender: SENDERS[SENDER], credentials, url, signedAt: new Date(), isForged }
  const { headers } = prove({ headers: { 'content-type': 'application/json' }, body }, signing)
  let isRefused = false
  try {
    const reply = await stage.call(path, { method: 'POST', headers, body })
    isRefused = reply.status >= 400 && reply.status < 500
    return reply
  } finally {
    if (!isRefused) stage.events.add(`${SENDER} ${eventId}`)
  }
}

function pathOf(eventId: string): string {
  return `/api/webhooks/events/${SENDER}/${encodeURIComponent(eventId)}`
}

/** An event as an admin sees it. */
async function read(stage: DeployedStage, eventId: string): Promise<Readonly<Record<string, unknown>>> {
  const headers = await stage.admin()
  return Object(answeredWith(200, await stage.call(pathOf(eventId), { headers })).json)
}
