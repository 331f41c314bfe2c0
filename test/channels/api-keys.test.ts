import { randomUUID } from 'node:crypto'
import { describe, expect, it, vi } from 'vitest'
import { type WatchWebhookEventsResponse, WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { tokenOf } from '../support/accounts.ts'
import { makeKey } from '../support/api-keys.ts'
import { payment, postPayment } from '../support/events.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { bearerField, callUnary, openStream } from '../support/grpc-client.ts'
import { leaveBehind } from '../support/local-tables.ts'
import { callStomp } from '../support/stomp-call.ts'

const { getWebhookEvent, listWebhookEvents, watchWebhookEvents } = WebhookEventService.method
const fieldsOf = (key: string) => ({ 'x-api-key': key })

/** A stored event of a source of its own. */
async function storedEvent(): Promise<string> {
  const source = `shop-${randomUUID().slice(0, 8)}`
  const receivedAt = new Date()
  const id = BigInt(receivedAt.getTime()) << 21n
  await leaveBehind(failedEvent({ source, id, receivedAt, dead: true, nextRetryAt: undefined }))
  return source
}

const eventIdsIn = (messages: readonly WatchWebhookEventsResponse[]) =>
  messages.flatMap(({ change }) => (change.case === 'event' ? [change.value.eventId] : []))

describe('gRPC with a key', () => {
  it('K18 gets and lists the events of its sources, and receives its scope in every refusal', async () => {
    const [source, other] = [await storedEvent(), await storedEvent()]
    const { id, key } = await makeKey([source])
    const get = (from: string, eventId = 'event-1') =>
      callUnary(getWebhookEvent, { source: from, eventId, includePayload: true }, fieldsOf(key))
    const list = (from = '') => callUnary(listWebhookEvents, { source: from }, fieldsOf(key))
    expect((await get(source)).messages[0]?.event).toMatchObject({ source })
    expect((await list()).messages[0]?.events.map((event) => event.source)).toEqual([source])
    for (const ended of [await get(other), await get(other, 'nothing'), await list(other)]) {
      expect(ended.code).toBe('PERMISSION_DENIED')
      expect(ended.rich).toMatchObject({ reason: 'KEY_OUT_OF_SCOPE', facts: { keyId: id, sources: source } })
    }
  })

  it('K18 watches the events of its sources only', async () => {
    const [{ key }, alien] = [await makeKey(['payment']), await makeKey(['nobody-sends'])]
    const watch = openStream(watchWebhookEvents, {}, fieldsOf(key))
    const deaf = openStream(watchWebhookEvents, {}, fieldsOf(alien.key))
    await vi.waitUntil(() => watch.messages.length > 0 && deaf.messages.length > 0, 20_000)
    const sent = payment()
    await postPayment(sent)
    await vi.waitUntil(() => eventIdsIn(watch.messages).includes(String(sent['eventId'])), 20_000)
    expect(eventIdsIn(deaf.messages)).toEqual([])
    for (const stream of [watch, deaf]) stream.cancel()
    const named = openStream(watchWebhookEvents, { source: 'payment' }, fieldsOf(alien.key))
    expect((await named.ended).code).toBe('PERMISSION_DENIED')
  })

  it('K16, K17 is refused if it is invalid or sent with other credentials', async () => {
    const { key } = await makeKey()
    const codeOf = async (fields: Parameters<typeof callUnary>[2]) =>
      (await callUnary(listWebhookEvents, {}, fields)).code
    expect(await codeOf({ ...fieldsOf(key), ...bearerField(await tokenOf('admin')) })).toBe('INVALID_ARGUMENT')
    expect(await codeOf({ authorization: `Bearer ${key}` })).toBe('UNAUTHENTICATED')
    expect(await codeOf(fieldsOf(`${key}x`))).toBe('UNAUTHENTICATED')
  })
})

describe('STOMP with a key', () => {
  const connect = (headers: string) => `CONNECT\naccept-version:1.2\n${headers}\n\n\0`

  it('K18 subscribes to webhook events, and not to deliveries', async () => {
    const { key } = await makeKey(['payment'])
    const commandsOf = async (destination: string) => {
      const subscribe = `SUBSCRIBE\nid:0\ndestination:${destination}\nreceipt:1\n\n\0`
      return (await callStomp(connect(`x-api-key:${key}`), subscribe)).answers.map(({ command }) => command)
    }
    expect(await commandsOf('/topic/webhooks')).toEqual(['CONNECTED', 'RECEIPT'])
    expect(await commandsOf('/topic/deliveries')).toEqual(['CONNECTED', 'ERROR'])
  })

  it('K16, K17 is refused if it is invalid or sent with other credentials', async () => {
    const { key } = await makeKey()
    const statusOf = async (headers: string) =>
      JSON.parse((await callStomp(connect(headers))).answers[0]?.body ?? '').status
    expect(await statusOf(`x-api-key:${key}x`)).toBe(401)
    expect(await statusOf(`passcode:${key}`)).toBe(401)
    expect(await statusOf(`x-api-key:${key}\nAuthorization:Bearer ${await tokenOf('admin')}`)).toBe(400)
  })
})
