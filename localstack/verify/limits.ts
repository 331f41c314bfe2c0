import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import { type Check, holds, NoAnswer, Untried } from './check.ts'
import { answeredWith, makerOf, type StageReply } from './reply.ts'
import { orderEvent, pathOfEvent, sendEvent } from './webhooks.ts'

/** The largest body of a webhook, in bytes; the default of WEBHOOK_MAX_BODY_BYTES. */
const LARGEST = 4_194_304

/** More than a function receives and more than the gateway accepts. */
const ABOVE_THE_GATEWAY = 11 * 1024 * 1024

/** An event with a body of so many bytes, which compression does not make much smaller. */
function eventOf(eventId: string, bytes: number) {
  const rest = bytes - orderEvent(eventId, { note: '' }).body.length
  return orderEvent(eventId, { note: randomBytes(rest).toString('base64url').slice(0, rest) })
}

export const tryLargestBody: Check = async (stage) => {
  const headers = await stage.admin()
  const eventId = stage.newEventId()
  const event = eventOf(eventId, LARGEST)
  answeredWith(200, await sendEvent(stage, event))
  const { body } = answeredWith(200, await stage.call(`${pathOfEvent('order-status', eventId)}/payload`, { headers }))
  holds(body.equals(event.body), `sent ${LARGEST} bytes, and read back ${body.length} others`)
  return { seen: `${LARGEST} bytes, read back as they were`, figures: { bytes: LARGEST } }
}

export const tryTooLargeBody: Check = async (stage) => {
  const answer = await sendEvent(stage, eventOf('verify-large', LARGEST + 1))
  const seen = `${answer.status}, ${makerOf(answer)}`
  holds(answer.status === 413, `${seen}; wanted 413 for ${LARGEST + 1} bytes`)
  return seen
}

export const tryBodyAboveTheGateway: Check = ({ call }) => {
  const body = Buffer.alloc(ABOVE_THE_GATEWAY, 'x')
  return refusedByTheGateway(call('/webhooks/order-status', { method: 'POST', body }), [413])
}

export const tryMalformedPath: Check = ({ call }) => refusedByTheGateway(call('/%zz'), [400, 404])

export const tryLongHeaders: Check = ({ call }) => {
  const headers = { 'x-verify': 'x'.repeat(20_000) }
  return refusedByTheGateway(call('/api/public/hello', { headers }), [400, 413, 431, 494])
}

/** The error codes when the server closes a connection while a request is still being sent. */
const CLOSED = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']

/** The gateway's own answers are documented in parts only: the result shows the answer as it came. */
async function refusedByTheGateway(calling: Promise<StageReply>, statuses: readonly number[]): Promise<string> {
  try {
    const reply = await calling
    const seen = `${reply.status}, ${makerOf(reply)}`
    holds(statuses.includes(reply.status), `${seen}; wanted ${statuses.join(' or ')}`)
    return seen
  } catch (error) {
    if (!(error instanceof NoAnswer && CLOSED.includes(error.code))) throw error
    return `the connection was closed (${error.code})`
  }
}

const BURST = 300

export const tryBurst: Check = async ({ call, extras }) => {
  if (!extras.burst) throw new Untried(`--burst makes ${BURST} calls at once`)
  const calls = Array.from({ length: BURST }, () =>
    call('/api/public/hello').then(
      ({ status }) => `${status}`,
      () => 'none',
    ),
  )
  const byStatus = Map.groupBy(await Promise.all(calls), (status) => status)
  const counted = [...byStatus].map(([status, { length }]) => [status, length] as const)
  const figures = Object.fromEntries(counted.map(([status, count]) => [`answered${status}`, count]))
  return { seen: `not judged: ${counted.map(([status, count]) => `${count} × ${status}`).join(', ')}`, figures }
}
