import type { ServerResponse } from 'node:http'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { eventBridgeCarrier } from '../../../../lib/adapters/eventbridge/carrier.ts'
import { awsService } from '../../../support/aws-service.ts'
import { A_TRACEPARENT, deliveredEvent } from '../../../support/delivered-event.ts'
import { START } from '../../../support/fakes/clock.ts'

const BUS = 'arn:aws:events:eu-west-1:123456789012:event-bus/orders'
const PARCEL = { event: deliveredEvent(), attempt: 1, traceparent: A_TRACEPARENT, at: START }

let service: Awaited<ReturnType<typeof awsService>>
const answering = async (answer: (response: ServerResponse) => void) => {
  service = await awsService('AWS_ENDPOINT_URL_EVENTBRIDGE', answer)
  return service
}
const taken = (response: ServerResponse) => void response.end('{"FailedEntryCount":0,"Entries":[{"EventId":"1"}]}')

const carry = (parcel: object = PARCEL, timeout = 5000) =>
  eventBridgeCarrier({ target: { to: 'eventbridge', busArn: BUS }, timeout }).carry({ ...PARCEL, ...parcel })

async function entryOf(parcel: object): Promise<Readonly<Record<string, string>>> {
  const { asked } = await answering(taken)
  expect(await carry(parcel)).toMatchObject({ kind: 'delivered', answer: 'HTTP 200' })
  const [entry] = asked().body['Entries'] as Record<string, string>[]
  return entry ?? {}
}

afterEach(async () => {
  vi.unstubAllEnvs()
  await service.close()
})

describe('a delivery to a bus', () => {
  it('is one signed entry in the region of the bus', async () => {
    const entry = await entryOf({})
    expect(service.asked().headers).toMatchObject({
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSEvents.PutEvents',
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=local\/\d{8}\/eu-west-1\/events\/aws4_request,/,
      ),
    })
    expect(entry).toMatchObject({
      Source: 'gatehouse.stripe',
      DetailType: 'payment_intent.succeeded',
      EventBusName: BUS,
      Time: START.getTime() / 1000,
    })
    expect(JSON.parse(entry['Detail'] ?? '')).toMatchObject({ eventId: 'evt_1', body: '{"id":"evt_1"}' })
  })

  it.each([
    ['a'.repeat(256), 'a'.repeat(128)],
    [`${'a'.repeat(122)}ü`, `${'a'.repeat(122)}\\u00fc`],
    [`${'a'.repeat(123)}ü`, 'a'.repeat(123)],
    [`${'a'.repeat(127)}\u{1f600}`, 'a'.repeat(127)],
  ])(
    'has a detail type of at most 128 characters of ASCII, and the whole type in the detail: %s',
    async (eventType, cut) => {
      const { DetailType: type, Detail: detail = '' } = await entryOf({ event: deliveredEvent({ eventType }) })
      expect(type).toBe(cut)
      expect(JSON.parse(detail).type).toBe(eventType)
    },
  )

  it.each([
    [260_000, 'body'],
    [262_000, 'gatehouse'],
  ])('of %i bytes contains a %s: an entry has less than 256 KB', async (bytes, member) => {
    const entry = await entryOf({ event: deliveredEvent({ payload: Buffer.alloc(bytes, 'a') }) })
    expect(JSON.parse(entry['Detail'] ?? '')).toHaveProperty(member)
    const size = ['Source', 'DetailType', 'Detail'].reduce(
      (sum, name) => sum + Buffer.byteLength(entry[name] ?? ''),
      14,
    )
    expect(size).toBeLessThan(262_144)
  })

  it('is refused for good in an answer that is 200', async () => {
    const refused = '{"FailedEntryCount":1,"Entries":[{"ErrorCode":"MalformedDetail","ErrorMessage":"no"}]}'
    await answering((response) => void response.end(refused))
    expect(await carry()).toMatchObject({ kind: 'failed', answer: 'MalformedDetail', isRefused: true })
  })

  it.each<[string, string, (response: ServerResponse) => void]>([
    ['the entry was refused', 'is not mentioned', (response) => void response.end('{"Entries":[]}')],
    [
      'the entry was refused',
      'is refused with a strange reason',
      (response) => void response.end('{"Entries":[{"ErrorCode":"<b>"}]}'),
    ],
    ['connection failed: for an unknown reason', 'gets no JSON', (response) => void response.end('<html>')],
    ['timed out', 'gets no answer', () => {}],
  ])('fails with %s if it %s', async (answer, _, answers) => {
    const { questions } = await answering(answers)
    expect(await carry(PARCEL, answer === 'timed out' ? 100 : 5000)).toMatchObject({ kind: 'failed', answer })
    expect(questions).toHaveLength(1)
  })
})
