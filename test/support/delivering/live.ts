import { createHash, createHmac, randomBytes, randomUUID } from 'node:crypto'
import { dynamoDeliveryDesk } from '../../../lib/adapters/dynamodb/delivery-store.ts'
import { dynamoEventStore } from '../../../lib/adapters/dynamodb/event-store.ts'
import { dynamoHealthStore } from '../../../lib/adapters/dynamodb/health-store.ts'
import { dynamoReplays } from '../../../lib/adapters/dynamodb/replays.ts'
import { documentClient } from '../../../lib/adapters/dynamodb/table.ts'
import { dynamoUserAdministration } from '../../../lib/adapters/dynamodb/users.ts'
import { createTokens } from '../../../lib/auth/token.ts'
import { healthyOf } from '../../../lib/deliver/breaker.ts'
import type { Delivery } from '../../../lib/deliver/delivery.ts'
import { loadConfig } from '../../../lib/runtime/config.ts'
import { firstIdAt } from '../../../lib/runtime/ids.ts'
import { tokenSettings } from '../../../lib/runtime/settings/token.ts'
import { systemClock } from '../../../lib/runtime/time.ts'
import type { User } from '../../../lib/users/user.ts'
import type { ReplayFilter } from '../../../lib/webhooks/operators/replay.ts'
import { sqsEvent } from '../../../localstack/stack/event-sources.ts'
import { failedEvent } from '../fakes/webhooks.ts'
import { answerOf, type HttpRequest, httpApiEvent } from '../lambda/http-api.ts'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../lambda-environment.ts'
import type { DeliveringFunctions } from './functions.ts'

const { EVENTS_TABLE, DELIVERIES_TABLE, REPLAYS_TABLE, USERS_TABLE } = LAMBDA_ENVIRONMENT

const DAY = 86_400_000

const OPERATOR: User = {
  id: randomUUID(),
  username: 'ada',
  passwordHash: 'none',
  roles: ['ROLE_ADMIN'],
  enabled: true,
  createdAt: new Date(0),
}

/** No body of this size is stored in the row of its event if there is anything to deliver. */
const long = () => randomBytes(8000).toString('hex')

/**
 * Has the functions do everything that they do with deliveries: what is accepted, and comes once more, is tried in vain, ordered again, found
 * by the scan and delivered; what was accepted before is ordered; all of it is replayed; a removed destination is tidied
 * away.
 * @param open lets the destinations receive
 * @param told where nobody is: its circuit opens, then it is disabled and enabled, and all is told
 * @returns the deliveries of an event when they are over
 */
export async function liveThroughDeliveries(
  { invoke }: Pick<DeliveringFunctions, 'invoke'>,
  names: readonly string[],
  open: () => Promise<void>,
  told: string,
): Promise<readonly Delivery[]> {
  const documents = documentClient()
  const desk = dynamoDeliveryDesk(documents, DELIVERIES_TABLE)
  const health = dynamoHealthStore(documents, DELIVERIES_TABLE)
  const asAdmin = async () => [['authorization', `Bearer ${await adminToken()}`]] as const

  async function post(name: string, request: HttpRequest): Promise<void> {
    const { status, text } = await answerOf(await invoke(name, httpApiEvent({ method: 'POST', ...request })))
    if (status >= 300) throw new Error(`${name}: ${status} ${text}`)
  }

  async function deliver(eventId: string): Promise<void> {
    for (const destination of names) await invoke('deliver', message({ source: 'stripe', eventId, destination, n: 0 }))
  }

  async function redeliver(eventId: string, destination: string): Promise<void> {
    const target = `/api/webhooks/events/stripe/${eventId}/deliveries/${destination}/retry`
    await post('webhookEventDeliveryRetry', { target, headers: await asAdmin() })
  }

  async function replay(destination: string, filter: ReplayFilter = {}): Promise<void> {
    const replayId = `replay-${destination}-${filter.delivery ?? 'all'}`
    const progress = { state: 'RUNNING', matched: 0, done: 0, failed: 0, isListed: false } as const
    const order = { replayId, destination, filter, ratePerSecond: 1000, user: 'ada', acceptedAt: new Date() }
    await dynamoReplays(documents, REPLAYS_TABLE).create({ ...order, ...progress, step: 0 })
    await invoke('replayStep', message({ replayId, step: 0 }))
  }

  await dynamoUserAdministration(documents, { users: USERS_TABLE, passkeys: 'none' }).add(OPERATOR)
  // The first scan writes the destinations down.
  await invoke('deliveryScan', {})
  const accepted = `evt_${randomUUID()}`
  const call = stripeCall({ id: accepted, object: 'event', type: 'invoice.paid', data: long() })
  for (const copy of [call, call]) await post('webhookStripe', copy)
  await deliver(accepted)
  const failingSince = new Date(Date.now() - DAY)
  await health.change(told, (present) => ({ ...present, failures: 9, failingSince }))
  await invoke('deliver', message({ source: 'stripe', eventId: accepted, destination: told, n: 0 }))
  await post('destinationDisable', { target: `/api/destinations/${told}/disable`, headers: await asAdmin() })
  await post('destinationEnable', { target: `/api/destinations/${told}/enable`, headers: await asAdmin() })
  await post('webhookStripe', stripeCall('no JSON'))
  await open()

  const earlier = eventOf(`evt_${randomUUID()}`)
  // With another row beside it, it is a transaction, and its body stands in parts.
  const beside = { content: { sha256: earlier.payloadSha256 } }
  await dynamoEventStore(documents, { events: EVENTS_TABLE, effects: [] }).insert(earlier, {}, beside)

  for (const name of [...names, told]) await redeliver(accepted, name)
  await redeliver(earlier.eventId, names[0] ?? '')
  await invoke('deliveryScan', {})
  await deliver(accepted)
  const ended = await desk.of({ source: 'stripe', eventId: accepted })

  for (const name of [...names, told]) await replay(name)
  for (const state of ['DEAD', 'DELIVERED'] as const) await replay(names[0] ?? '', { delivery: [state] })

  const waiting = { status: 'PENDING', attempts: 0, history: [] } as const
  const { id, source, eventId, eventType, receivedAt } = earlier
  const endsAt = new Date(receivedAt.getTime() + DAY)
  const created = (key: { readonly eventId: string; readonly destination: string }) =>
    desk.create({ id, source, eventType, receivedAt, endsAt, ...waiting, ...key }, { at: receivedAt, user: 'ada' })

  // The deliveries of an event that is gone are dead, which is told.
  const gone = `evt_${randomUUID()}`
  for (const destination of names) await created({ eventId: gone, destination })
  await deliver(gone)

  await health.change('removed', () => healthyOf('removed'))
  await health.change('removed-long-ago', (present) => ({ ...present, removedAt: new Date(0) }))
  await created({ eventId, destination: 'removed' })
  await invoke('retryScan', {})
  return ended
}

/** SQS's event for a message. */
function message(body: object) {
  return sqsEvent([{ MessageId: 'a', Body: JSON.stringify(body) }], 'arn:aws:sqs:eu-central-1:000000000000:any')
}

function stripeCall(content: object | string): HttpRequest {
  const body = typeof content === 'string' ? content : JSON.stringify(content)
  const t = Math.floor(Date.now() / 1000)
  const v1 = createHmac('sha256', STRIPE_SECRET).update(`${t}.${body}`).digest('hex')
  const signature = ['stripe-signature', `t=${t},v1=${v1}`] as const
  return { target: '/webhooks/stripe', headers: [['content-type', 'application/json'], signature], body }
}

/** An event as it was stored before there were destinations. */
function eventOf(eventId: string) {
  const receivedAt = new Date()
  const payload = Buffer.from(JSON.stringify({ id: eventId, data: long() }))
  const payloadSha256 = createHash('sha256').update(payload).digest('hex')
  const id = firstIdAt(receivedAt.getTime())
  return failedEvent({ source: 'stripe', eventId, id, receivedAt, payload, payloadSha256 })
}

function adminToken(): Promise<string> {
  const { JWT_KEYS: keys } = loadConfig({ JWT_KEYS: tokenSettings.JWT_KEYS }, [], LAMBDA_ENVIRONMENT)
  return createTokens({ keys: { current: keys }, lifetimeSeconds: 3600, clock: systemClock }).issue(
    OPERATOR.username,
    'ROLE_ADMIN',
  )
}
