import type { EventRecord } from '../../../../web/events/record.ts'

/** A failed event, named after its id. */
export function record(changes: Partial<EventRecord> = {}): EventRecord {
  const { id = '1' } = changes
  return {
    id,
    source: 'payment',
    eventId: `event-${id}`,
    eventType: 'PAYMENT',
    status: 'FAILED',
    receivedAt: '2026-01-02T03:04:05.000',
    processedAt: null,
    attempts: 1,
    nextRetryAt: null,
    dead: false,
    errorMessage: null,
    outcome: null,
    proof: { level: 'none', typeSigned: false, idSigned: false, key: null, signedAt: null },
    possibleDuplicateOf: null,
    typeConflict: false,
    held: false,
    summary: null,
    idConflict: null,
    itemCount: null,
    ...changes,
  }
}
