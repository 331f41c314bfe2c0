import type { Buffer } from 'node:buffer'
import type { WebhookEvent } from '../../webhooks/event.ts'
import type { EventStore, InsertResult } from '../../webhooks/inbox.ts'
import type { Documents } from './client.ts'
import { type ConditionFailed, type Item, jitter, type Pause, putIf, transact } from './conditional.ts'
import { blockedBy, type EffectKind, effectWrites } from './effect-writes.ts'
import { type EventItem, headOf, toItem } from './event-item.ts'
import { inlineBody, type StoredBody, writeParts } from './stored-body.ts'

/** Where events are kept, and the kinds of rows that they may change. */
export interface EventTables {
  readonly events: string
  readonly effects: readonly EffectKind[]
}

const EVENT = 0
const FIRST_OTHER = 1

/** Spec 4.2, rule 3: the event and its effect in one request. */
export function dynamoEventStore(documents: Documents, tables: EventTables, pause: Pause = jitter): EventStore {
  const written = new WeakMap<Buffer, number>()

  /** The parts of a body that is inserted again, because something blocked its effects, are there already. */
  async function place(event: WebhookEvent): Promise<StoredBody> {
    const inline = inlineBody(event.payload)
    if (inline) return inline
    const payloadParts = written.get(event.payload) ?? (await writeParts(documents, tables.events, event, pause))
    written.set(event.payload, payloadParts)
    return { payloadParts }
  }

  return {
    async insert(event, effects, dedupKey) {
      const put = putNew(tables.events, toItem(event, await place(event)))
      const bodies = dedupKey === 'id-and-body' ? [putBody(tables.events, event)] : []
      const others = [...bodies, ...effectWrites(tables.effects, effects, event.id)]
      const result =
        others.length > 0 ? await transact(documents, [{ Put: put }, ...others], pause) : await putIf(documents, put)
      if (result.kind === 'written') return { kind: 'inserted' }
      const { index, item } = shown(result)
      return index <= bodies.length
        ? knownAs(index, item)
        : blockedBy(tables.effects, effects, index - FIRST_OTHER - bodies.length, item)
    },
  }
}

function shown({ index, item }: ConditionFailed) {
  if (item === undefined) throw new Error('a condition failed without showing its row')
  return { index, item }
}

/** What is in the place of an event or of its body. */
function knownAs(index: number, item: Item): InsertResult {
  if (index === EVENT) return { kind: 'present', event: headOf(item as unknown as EventItem) }
  return { kind: 'repeated', eventId: String(item['firstEventId']) }
}

function putNew(table: string, item: object) {
  return {
    TableName: table,
    Item: { ...item },
    ConditionExpression: 'attribute_not_exists(eventId)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const
}

/** Takes the place of a body in the same table; no source has such a name, so no event can stand there. */
function putBody(table: string, { source, eventId, payloadSha256 }: WebhookEvent) {
  return { Put: putNew(table, { source: `${source}#body`, eventId: payloadSha256, firstEventId: eventId }) }
}
