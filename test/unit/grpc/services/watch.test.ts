import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { describe, expect, it } from 'vitest'
import { watchWebhookEvents } from '../../../../lib/grpc/services/webhook-events.ts'
import { type EventChange, watchCursorOf } from '../../../../lib/webhooks/live/cursor.ts'
import { QUIET_MS } from '../../../../lib/webhooks/live/watch.ts'
import {
  WatchWebhookEventsRequestSchema,
  type WatchWebhookEventsResponseSchema,
  WebhookEventProofLevel,
  WebhookEventStatus,
} from '../../../../proto/gen/gatehouse/v1/webhook_event_pb.ts'
import { START } from '../../../support/fakes/clock.ts'
import { tokenHolder } from '../../../support/fakes/principals.ts'
import { changeAt, pass, settle, type WatchWorld, watchWorld } from '../../../support/watch-world.ts'

type Request = MessageInitShape<typeof WatchWebhookEventsRequestSchema>
type Response = MessageInitShape<typeof WatchWebhookEventsResponseSchema>

/** A call that is under way, and what it has been told. */
function open(world: WatchWorld, request: Request) {
  const abort = new AbortController()
  const said: Response[] = []
  const call = { principal: tokenHolder('ROLE_ADMIN'), from: () => '', signal: () => abort.signal }
  const asked = create(WatchWebhookEventsRequestSchema, request)
  const [node] = world.nodes
  async function run(): Promise<void> {
    if (!node) throw new Error('no process')
    for await (const each of watchWebhookEvents(node.watch, world.time.clock, asked, call)) said.push(each)
  }
  return { said, ended: run(), cancel: () => abort.abort() }
}

const eventIds = (said: readonly Response[]) =>
  said.flatMap(({ change }) => (change?.case === 'event' ? [change.value.eventId] : []))

describe('WatchWebhookEvents', () => {
  it('sends the position of the caller at once, then a change as the record shows it', async () => {
    const world = await watchWorld()
    const { said } = open(world, {})
    await settle()
    const start = { cursor: world.node.feed.cursor(), change: { case: 'heartbeat', value: {} } }
    world.node.feed.hear({ ...changeAt(world.time, 'a', 'RETRY'), receivedAt: '2026-01-02T03:04:05.000' })
    await settle()
    const value = {
      id: 1n,
      source: 'test',
      eventId: 'a',
      eventType: 'TEST',
      status: WebhookEventStatus.RETRY,
      receivedAt: timestampFromDate(START),
    }
    expect(said).toEqual([start, { cursor: world.node.feed.cursor(), change: { case: 'event', value } }])
  })

  const SIGNED = { typeSigned: true, idSigned: true }
  it.each<[string, EventChange['proof'], object | undefined]>([
    [
      'signed',
      { level: 'full', ...SIGNED, key: 'stripe#1', signedAt: START.toISOString() },
      {
        level: WebhookEventProofLevel.FULL,
        ...SIGNED,
        key: 'stripe#1',
        signedAt: timestampFromDate(START),
        stale: false,
      },
    ],
    [
      'that was late',
      { level: 'body', ...SIGNED, key: null, signedAt: null, stale: true },
      { level: WebhookEventProofLevel.BODY, ...SIGNED, stale: true },
    ],
    ['whose hint is of an older version', undefined, undefined],
  ])('sends the proof of an event %s', async (_, proof, expected) => {
    const world = await watchWorld()
    const { said } = open(world, {})
    await settle()
    world.node.feed.hear({ ...changeAt(world.time, 'a'), proof })
    await settle()
    const [event] = said.flatMap(({ change }) => (change?.case === 'event' ? [change.value] : []))
    expect(event?.eventId).toBe('a')
    expect(event?.proof).toEqual(expected)
  })

  it.each<[string, Request, string[]]>([
    ['of two statuses', { statuses: [WebhookEventStatus.FAILED, WebhookEventStatus.PROCESSED] }, ['a', 'b', 'c']],
    ['of one status of one source', { source: 'test', statuses: [WebhookEventStatus.FAILED] }, ['b']],
  ])('sends changes %s', async (_, request, expected) => {
    const world = await watchWorld()
    const { said } = open(world, request)
    await settle()
    world.node.feed.hear(changeAt(world.time, 'a'))
    world.node.feed.hear(changeAt(world.time, 'b', 'FAILED'))
    world.node.feed.hear({ ...changeAt(world.time, 'c', 'FAILED'), source: 'other' })
    await settle()
    expect(eventIds(said)).toEqual(expected)
  })

  it('resumes after the longest possible cursor', async () => {
    const world = await watchWorld()
    world.node.feed.hear(changeAt(world.time, 'a'))
    const ahead = Array.from({ length: 600 }, (_, index) => [index, BigInt(index)] as const)
    const resumeAfter = watchCursorOf(1n, ahead)
    const { said } = open(world, { resumeAfter })
    await settle()
    expect(resumeAfter).toHaveLength(4107)
    expect(eventIds(said)).toEqual(['a'])
  })

  it('sends a heartbeat and a new cursor while no matching change happens', async () => {
    const world = await watchWorld()
    const { said } = open(world, { source: 'other' })
    await settle()
    for (let second = 0; second < (2 * QUIET_MS) / 1000; second++) {
      world.node.feed.hear(changeAt(world.time, `event-${second}`))
      await pass(world.time, 1000)
    }
    expect(said.length).toBeGreaterThanOrEqual(2)
    expect(said.length).toBeLessThanOrEqual(3)
    expect(said.map(({ change }) => change?.case)).toEqual(said.map(() => 'heartbeat'))
    expect(new Set(said.map(({ cursor }) => cursor)).size).toBe(said.length)
  })

  it.each<[string, Request, string]>([
    ['an unknown status', { statuses: [0] }, 'statuses'],
    ['a text that is not a cursor', { resumeAfter: 'nonsense' }, 'resume_after'],
    ['a cursor that is too long', { resumeAfter: 'A'.repeat(5000) }, 'resume_after'],
  ])('refuses %s', async (_, request, field) => {
    const world = await watchWorld()
    const validationErrors = [expect.objectContaining({ field })]
    await expect(open(world, request).ended).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { validationErrors },
    })
  })

  it('ends with its call', async () => {
    const world = await watchWorld()
    const { ended, cancel } = open(world, {})
    await settle()
    cancel()
    await expect(ended).resolves.toBeUndefined()
  })
})
