import { randomUUID } from 'node:crypto'
import { Client, type IMessage } from '@stomp/stompjs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { AuthService } from '../../proto/gen/gatehouse/v1/auth_pb.ts'
import { type WatchWebhookEventsResponse, WebhookEventService } from '../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { tokenOf } from '../support/accounts.ts'
import { deleteKey, makeKey } from '../support/api-keys.ts'
import { payment, postPayment } from '../support/events.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'
import { bearerField, callUnary, openStream } from '../support/grpc-client.ts'
import { leaveBehind } from '../support/local-tables.ts'
import { served } from '../support/served.ts'
import { callStomp } from '../support/stomp-call.ts'
import { subscribed } from '../support/stomp-client.ts'

const { getWebhookEvent, listWebhookEvents, retryWebhookEvent, watchWebhookEvents } = WebhookEventService.method
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

  it('K18 watches the events of its sources only, and resumes with the same restriction', async () => {
    const { key } = await makeKey(['payment'])
    const alien = await makeKey(['nobody-sends'])
    const [before, missed] = [payment(), payment()]
    const watch = openStream(watchWebhookEvents, {}, fieldsOf(key))
    const deaf = openStream(watchWebhookEvents, {}, fieldsOf(alien.key))
    await vi.waitUntil(() => watch.messages.length > 0 && deaf.messages.length > 0, 20_000)
    await postPayment(before)
    await vi.waitUntil(() => eventIdsIn(watch.messages).includes(String(before['eventId'])), 20_000)
    watch.cancel()
    await postPayment(missed)
    const resumeAfter = watch.messages.at(-1)?.cursor ?? ''
    const again = openStream(watchWebhookEvents, { resumeAfter }, fieldsOf(key))
    const alienAgain = openStream(watchWebhookEvents, { resumeAfter }, fieldsOf(alien.key))
    await vi.waitUntil(() => eventIdsIn(again.messages).includes(String(missed['eventId'])), 20_000)
    await vi.waitUntil(() => alienAgain.messages.length > 0, 20_000)
    expect([...eventIdsIn(deaf.messages), ...eventIdsIn(alienAgain.messages)]).toEqual([])
    for (const stream of [deaf, again, alienAgain]) stream.cancel()
    const named = openStream(watchWebhookEvents, { source: 'payment' }, fieldsOf(alien.key))
    expect((await named.ended).code).toBe('PERMISSION_DENIED')
  })

  it('K18 is not accepted where keys are not accepted', async () => {
    const { key } = await makeKey()
    const ends = [
      await callUnary(retryWebhookEvent, { source: 'payment', eventId: 'x' }, fieldsOf(key)),
      await callUnary(AuthService.method.whoAmI, {}, fieldsOf(key)),
    ]
    for (const { code, rich } of ends) {
      expect([code, rich?.reason]).toEqual(['UNAUTHENTICATED', 'TOKEN_MISSING'])
    }
  })

  it('K16, K17 is refused if it is invalid, repeated or sent with other credentials', async () => {
    const { id, key } = await makeKey()
    const codeOf = async (fields: Parameters<typeof callUnary>[2]) =>
      (await callUnary(listWebhookEvents, {}, fields)).code
    expect(await codeOf(fieldsOf(key))).toBe('OK')
    expect(await codeOf({ 'x-api-key': [key, key] })).toBe('INVALID_ARGUMENT')
    expect(await codeOf({ ...fieldsOf(key), ...bearerField(await tokenOf('admin')) })).toBe('INVALID_ARGUMENT')
    expect(await codeOf({ authorization: `Bearer ${key}` })).toBe('UNAUTHENTICATED')
    for (const wrong of [`${key}x`, key.toUpperCase(), 'x', key.padEnd(8000, 'x')]) {
      expect(await codeOf(fieldsOf(wrong))).toBe('UNAUTHENTICATED')
    }
    const unused = await makeKey()
    await deleteKey(unused.id)
    expect(await codeOf(fieldsOf(unused.key))).toBe('UNAUTHENTICATED')
    expect(id).not.toBe(unused.id)
  })
})

/** A connection of the client that browsers use. */
async function stompClient(connectHeaders: Record<string, string>): Promise<Client> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const client = new Client({
    webSocketFactory: () => new WebSocket(served('ready').ws, ['v12.stomp']),
    connectHeaders,
    reconnectDelay: 0,
    onConnect: () => resolve(),
    onStompError: ({ body }) => reject(new Error(body)),
  })
  onTestFinished(() => client.deactivate())
  client.activate()
  await promise
  return client
}

describe('STOMP with a key', () => {
  it('K18 receives the events of its sources, and no others', async () => {
    const [payments, alien] = [await makeKey(['payment']), await makeKey(['nobody-sends'])]
    const heard: string[] = []
    const deaf: IMessage[] = []
    const client = await stompClient({ 'X-Api-Key': payments.key })
    const other = await stompClient({ 'x-api-key': alien.key })
    await subscribed(client, '/topic/webhooks', ({ body }) => heard.push(JSON.parse(body).eventId))
    await subscribed(other, '/topic/webhooks', (message) => deaf.push(message))
    const sent = payment()
    expect((await postPayment(sent)).status).toBe(200)
    await vi.waitUntil(() => heard.includes(String(sent['eventId'])), 20_000)
    expect(deaf).toEqual([])
  })

  const connect = (headers: string) => `CONNECT\naccept-version:1.2\n${headers}\n\n\0`

  it.each(['SEND\ndestination:/topic/public/a\n\nx\0', 'SUBSCRIBE\nid:0\ndestination:/user/queue/a\n\n\0'])(
    'K18 cannot send and has no messages of its own: %j',
    async (frame) => {
      const { key } = await makeKey()
      const { answers, closeCode } = await callStomp(connect(`x-api-key:${key}`), frame)
      expect([answers.map(({ command }) => command), closeCode]).toEqual([['CONNECTED', 'ERROR'], 1008])
      expect(JSON.parse(answers[1]?.body ?? '').status).toBe(403)
    },
  )

  it('K16, K17 is refused if it is invalid or sent with other credentials', async () => {
    const { key } = await makeKey()
    const token = await tokenOf('admin')
    const statusOf = async (headers: string) => {
      const { answers } = await callStomp(connect(headers))
      return answers[0]?.command === 'CONNECTED' ? 200 : JSON.parse(answers[0]?.body ?? '').status
    }
    expect(await statusOf(`x-api-key:${key}`)).toBe(200)
    for (const wrong of [`${key} `, `${key}x`, '', `${key}\\c`]) expect(await statusOf(`x-api-key:${wrong}`)).toBe(401)
    expect(await statusOf(`passcode:${key}`)).toBe(401)
    expect(await statusOf(`Authorization:Bearer ${key}`)).toBe(401)
    expect(await statusOf(`x-api-key:${key}\nAuthorization:Bearer ${token}`)).toBe(400)
    expect(await statusOf(`x-api-key:${key}\npasscode:${token}`)).toBe(400)
  })
})
