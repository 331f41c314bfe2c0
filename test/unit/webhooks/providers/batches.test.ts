import { describe, expect, it } from 'vitest'
import { providerOf } from '../../../../lib/webhooks/providers/index.ts'
import { receiverFor } from '../../../support/webhook-receiver.ts'
import { callOf, rows } from './row-calls.ts'

/** A body with an element for each of these, with an id or without. */
const BATCHES: Readonly<Record<string, (hasId: readonly boolean[]) => unknown>> = {
  asana: (elements) => ({
    events: elements.map((hasId, index) => ({
      created_at: '2026-01-02T03:04:05.678Z',
      action: 'changed',
      resource: { ...(hasId && { gid: `${index}` }), resource_type: 'task' },
    })),
  }),
  'event-grid': (elements) =>
    elements.map((hasId, index) => ({ ...(hasId && { id: `e-${index}` }), topic: 't', eventType: 'blob' })),
  hubspot: (elements) =>
    elements.map((hasId, index) => ({
      ...(hasId && { eventId: index }),
      portalId: 1,
      subscriptionId: 2,
      occurredAt: 3,
      subscriptionType: 'contact.creation',
    })),
  line: (elements) => ({
    events: elements.map((hasId, index) => ({ ...(hasId && { webhookEventId: `e-${index}` }), type: 'message' })),
  }),
  meta: (elements) => ({
    entry: elements.map((hasId, index) => ({
      changes: [{ field: 'messages', value: { messages: [hasId ? { id: `m-${index}` } : {}] } }],
    })),
  }),
  'microsoft-graph': (elements) => ({
    value: elements.map((hasId, index) => ({ ...(hasId && { id: `n-${index}` }), changeType: 'updated' })),
  }),
  sendgrid: (elements) =>
    elements.map((hasId, index) => ({ ...(hasId && { sg_event_id: `s-${index}` }), event: 'open' })),
  xero: (elements) => ({
    events: elements.map((hasId, index) => ({
      ...(hasId && { resourceId: `r-${index}` }),
      eventDateUtc: '2026-01-02T03:04:05.678',
      eventCategory: 'INVOICE',
      eventType: 'UPDATE',
    })),
  }),
}

describe('a batch', () => {
  const batches = rows.flatMap(([key, row]) => (BATCHES[key] ? [[key, row, BATCHES[key]] as const] : []))

  it('is supported for every provider with items', () => {
    const wanted = rows.flatMap(([key, { name }]) => {
      const provider = providerOf(name)
      return 'identity' in provider && provider.identity.some((row) => 'items' in row) ? [key] : []
    })
    expect(Object.keys(BATCHES)).toEqual(wanted)
  })

  it.each(batches)(
    'of a thousand elements of %s is one event, whose elements the worker writes',
    async (_, row, make) => {
      const receiver = receiverFor(row.name)
      const call = callOf(row, { body: make(Array(1000).fill(true)) })
      expect(await receiver.receive(call)).toBe('stored')
      expect(receiver.events()).toMatchObject([{ itemCount: 1000, status: 'RECEIVED' }])
      expect([receiver.store.items.size, receiver.store.queue.length]).toEqual([0, 1])
      expect(await receiver.receive(call)).toBe(row.rule === 'always-new' ? 'alike' : 'duplicate')
    },
  )

  it.each(batches)('of %s may have an element without an id', async (_, row, make) => {
    const receiver = receiverFor(row.name)
    expect(await receiver.receive(callOf(row, { body: make([true, false]) }))).toBe('stored')
    const [items] = receiver.store.items.values()
    expect(items?.map(({ eventId }) => typeof eventId)).toEqual(['string', 'undefined'])
  })
})
