import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { describe, expect, it } from 'vitest'
import type { Call } from '../../../../lib/grpc/call.ts'
import { webhookEventService } from '../../../../lib/grpc/services/webhook-events.ts'
import type { EventKey, EventStatus, WebhookEvent } from '../../../../lib/webhooks/event.ts'
import {
  GetWebhookEventRequestSchema,
  WebhookEventStatus,
} from '../../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { START } from '../../../support/fakes/clock.ts'
import { tokenHolder } from '../../../support/fakes/principals.ts'
import { failedEvent } from '../../../support/fakes/webhooks.ts'

const CALL: Call = { principal: tokenHolder('ROLE_ADMIN'), signal: new AbortController().signal }

function get(stored: WebhookEvent, request: Partial<EventKey> & { includePayload?: boolean } = {}) {
  const find = async ({ source, eventId }: EventKey) =>
    source === stored.source && eventId === stored.eventId ? stored : undefined
  const { getWebhookEvent } = webhookEventService({ find }).handlers
  return getWebhookEvent(
    create(GetWebhookEventRequestSchema, { source: stored.source, eventId: stored.eventId, ...request }),
    CALL,
  )
}

describe('GetWebhookEvent', () => {
  it('shows the record with its headers and every move', async () => {
    const event = failedEvent({ id: 2n ** 62n + 1n, headers: { 'user-agent': 'x' } })
    expect(await get(event)).toEqual({
      event: {
        id: 4611686018427387905n,
        source: 'test',
        eventId: 'event-1',
        eventType: 'TEST',
        status: WebhookEventStatus.FAILED,
        receivedAt: timestampFromDate(START),
        nextRetryAt: timestampFromDate(new Date(START.getTime() + 5 * 60_000)),
        attempts: 0,
        dead: false,
        errorMessage: 'unexpected error',
      },
      headers: { 'user-agent': 'x' },
      history: [
        { at: timestampFromDate(START), status: WebhookEventStatus.FAILED, by: 'intake', error: 'unexpected error' },
      ],
    })
  })

  it('shows what a processed event became', async () => {
    const { event } = await get(failedEvent({ status: 'PROCESSED', processedAt: START, outcome: 'superseded' }))
    expect(event).toMatchObject({ processedAt: timestampFromDate(START), outcome: 'superseded' })
  })

  it('shows the payload, byte for byte, to whoever asks for it', async () => {
    const payload = Buffer.from([0, 255, 10])
    expect((await get(failedEvent({ payload }), { includePayload: true })).payload).toEqual(payload)
    expect(await get(failedEvent({ payload }))).not.toHaveProperty('payload')
  })

  it.each<[EventStatus, WebhookEventStatus]>([
    ['RECEIVED', WebhookEventStatus.RECEIVED],
    ['PROCESSING', WebhookEventStatus.PROCESSING],
    ['PROCESSED', WebhookEventStatus.PROCESSED],
    ['FAILED', WebhookEventStatus.FAILED],
    ['RETRY', WebhookEventStatus.RETRY],
  ])('names the status %s', async (status, expected) => {
    expect((await get(failedEvent({ status }))).event).toMatchObject({ status: expected })
  })

  it.each([{ eventId: 'other' }, { source: 'other' }, { source: '', eventId: '' }, { eventId: 'x'.repeat(257) }])(
    'of an event that is not there is refused: %o',
    async (key) => {
      await expect(get(failedEvent(), key)).rejects.toMatchObject({ code: 'EVENT_NOT_FOUND' })
    },
  )
})
