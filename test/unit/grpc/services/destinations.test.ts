import { create } from '@bufbuild/protobuf'
import { durationFromMs, timestampFromDate } from '@bufbuild/protobuf/wkt'
import { describe, expect, it } from 'vitest'
import { afterFailure } from '../../../../lib/deliver/breaker.ts'
import type { Carrier } from '../../../../lib/deliver/carrier.ts'
import type { CallContext } from '../../../../lib/grpc/call.ts'
import { destinationService } from '../../../../lib/grpc/services/destinations.ts'
import {
  DeliveryStatus,
  DestinationKind,
  DestinationState,
  DisableDestinationRequestSchema,
  EnableDestinationRequestSchema,
  ListDeliveriesRequestSchema,
  ListDestinationsRequestSchema,
  RetryDeliveryRequestSchema,
  TestDestinationRequestSchema,
} from '../../../../proto/gen/gatehouse/v1/destination_pb.ts'
import { START } from '../../../support/fakes/clock.ts'
import { operatorDesk } from '../../../support/fakes/desk.ts'
import { countingIds } from '../../../support/fakes/ids.ts'
import { tokenHolder } from '../../../support/fakes/principals.ts'
import { virtualTime } from '../../../support/fakes/timers.ts'
import { recordingTrail } from '../../../support/fakes/trail.ts'

const CALL: CallContext = {
  principal: tokenHolder('ROLE_ADMIN'),
  from: () => '192.0.2.1',
  signal: () => new AbortController().signal,
}
const ALICE = { user: 'alice', authType: 'JWT', from: '192.0.2.1', requestId: expect.any(String) }
const { username: user } = tokenHolder('ROLE_ADMIN')
const NOW = timestampFromDate(START)
const EVENT = { source: 'test', eventId: 'event-1' }
const QUIET = { state: DestinationState.CLOSED, waiting: 0, failures: 0 }

async function setUp() {
  const desk = await operatorDesk()
  const trail = recordingTrail()
  const carriers = new Map<string, () => Promise<Carrier>>()
  return {
    ...desk,
    carriers,
    trail,
    handlers: destinationService({
      ...desk.parts,
      carriers,
      ids: countingIds(),
      onAnnouncement: () => () => undefined,
      trail,
      timers: virtualTime().timers,
    }).handlers,
  }
}

describe('destinations over gRPC', () => {
  it('are listed with their state', async () => {
    const { handlers, parts, clock, add } = await setUp()
    add('crm')
    await parts.health.change('crm', (present) => afterFailure(present, { kind: 'failed', answer: '503' }, clock.now()))
    const target = 'arn:aws:sqs:eu-central-1:000000000000:ledger'
    const bus = 'arn:aws:events:eu-central-1:000000000000:event-bus/all'
    expect(await handlers.listDestinations(create(ListDestinationsRequestSchema), CALL)).toEqual({
      destinations: [
        {
          ...QUIET,
          name: 'crm',
          kind: DestinationKind.HTTP,
          target: 'crm.example.com',
          waiting: 1,
          oldestAt: NOW,
          failures: 1,
          lastAnswer: '503',
          lastAnswerAt: NOW,
        },
        { ...QUIET, name: 'bus', kind: DestinationKind.EVENTBRIDGE, target: bus },
        { ...QUIET, name: 'ledger', kind: DestinationKind.SQS, target },
      ],
    })
  })

  it('are disabled and enabled, with the user and the reason', async () => {
    const { handlers, log } = await setUp()
    const request = { name: 'crm', reason: 'moving house' }
    const disabled = await handlers.disableDestination(create(DisableDestinationRequestSchema, request), CALL)
    const state = DestinationState.DISABLED
    expect(disabled.destination).toMatchObject({ state, since: NOW, by: user, reason: 'moving house' })
    const enabled = await handlers.enableDestination(create(EnableDestinationRequestSchema, { name: 'crm' }), CALL)
    expect(enabled.destination).toMatchObject({ state: DestinationState.CLOSED, by: user })
    expect(enabled.destination).not.toHaveProperty('reason')
    expect(log.of('audit')).toEqual([
      { decision: 'disabled', destination: 'crm', user, note: 'moving house' },
      { decision: 'enabled', destination: 'crm', user },
    ])
  })

  it('are tested, with the duration', async () => {
    const { handlers, carriers, clock } = await setUp()
    const carry = async () => {
      clock.advance(1214)
      return { kind: 'failed', answer: 'HTTP 503' } as const
    }
    carriers.set('crm', async () => ({ carry }))
    const tested = await handlers.testDestination(create(TestDestinationRequestSchema, { name: 'crm' }), CALL)
    expect(tested).toEqual({ delivered: false, answer: 'HTTP 503', duration: durationFromMs(1214) })
  })

  it('show and repeat the deliveries of an event', async () => {
    const { handlers, sent } = await setUp()
    const order = { ...EVENT, destination: 'crm', reason: 'once more' }
    const history = [{ at: NOW, status: DeliveryStatus.PENDING, user, reason: 'once more' }]
    const delivery = { destination: 'crm', status: DeliveryStatus.PENDING, attempts: 0, dueAt: NOW, history }
    expect(await handlers.retryDelivery(create(RetryDeliveryRequestSchema, order), CALL)).toEqual({ delivery })
    expect(sent).toHaveLength(1)
    const listed = await handlers.listDeliveries(create(ListDeliveriesRequestSchema, EVENT), CALL)
    expect(listed).toEqual({ deliveries: [delivery] })
  })

  it('that do not exist are not found', async () => {
    const { handlers } = await setUp()
    const notFound = { code: 'DESTINATION_NOT_FOUND' }
    const enabled = handlers.enableDestination(create(EnableDestinationRequestSchema, { name: 'erp' }), CALL)
    await expect(enabled).rejects.toMatchObject(notFound)
    const retried = handlers.retryDelivery(create(RetryDeliveryRequestSchema, { ...EVENT, destination: 'erp' }), CALL)
    await expect(retried).rejects.toMatchObject(notFound)
    const tested = handlers.testDestination(create(TestDestinationRequestSchema, { name: 'erp' }), CALL)
    await expect(tested).rejects.toMatchObject(notFound)
  })

  it('A01 leave a line in the trail for each order before it runs, and another one if it fails', async () => {
    const { handlers, trail, sent } = await setUp()
    const name = { name: 'crm' }
    await handlers.disableDestination(create(DisableDestinationRequestSchema, name), CALL)
    await handlers.enableDestination(create(EnableDestinationRequestSchema, name), CALL)
    const order = { ...EVENT, destination: 'crm' }
    await handlers.retryDelivery(create(RetryDeliveryRequestSchema, order), CALL)
    await handlers.testDestination(create(TestDestinationRequestSchema, { name: 'erp' }), CALL).catch(() => undefined)
    const tested = { ...ALICE, action: 'destination.tested', target: { name: 'erp' } }
    expect(trail.entries).toEqual([
      { ...ALICE, action: 'destination.disabled', target: name },
      { ...ALICE, action: 'destination.enabled', target: name },
      { ...ALICE, action: 'delivery.retried', target: order },
      tested,
      { ...tested, outcome: 'DESTINATION_NOT_FOUND' },
    ])
    trail.isDown = true
    const retried = handlers.retryDelivery(create(RetryDeliveryRequestSchema, order), CALL)
    await expect(retried).rejects.toMatchObject({ code: 'UNAVAILABLE' })
    expect(sent).toHaveLength(1)
  })

  it('require a reason of at most 256 characters', async () => {
    const { handlers } = await setUp()
    const request = create(DisableDestinationRequestSchema, { name: 'crm', reason: 'x'.repeat(257) })
    const error = { code: 'VALIDATION_FAILED', details: { validationErrors: [{ field: 'reason' }] } }
    await expect(handlers.disableDestination(request, CALL)).rejects.toMatchObject(error)
  })
})
