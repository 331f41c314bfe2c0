import type { Buffer } from 'node:buffer'
import type { WebhookEvent } from '../../webhooks/event.ts'
import type { Beside, EventStore, InsertResult } from '../../webhooks/place.ts'
import { putElement } from './batch-items.ts'
import type { Documents } from './client.ts'
import { type ConditionFailed, type Item, jitter, type Pause, putIf, updateIf } from './conditional.ts'
import { putDelivery } from './delivery-item.ts'
import { blockedBy, type EffectCause, type EffectKind, hasRows, transactEffects } from './effect-writes.ts'
import { type EventItem, headOf, toItem } from './event-item.ts'
import { deleteParts, inlineBody, type StoredBody, type StoredParts, writeParts } from './stored-body.ts'

/** Where events are kept, and the kinds of rows that they may change. */
export interface EventTables {
  readonly events: string
  readonly effects: readonly EffectKind[]
  /** Needed for events that have deliveries. */
  readonly deliveries?: string | undefined
  /** For how many days the payloads of a source are kept at most. */
  readonly keptDays?: ((source: string) => number) | undefined
}

const DAY = 86_400_000

/** How many days longer parts are there than payloads are kept, so that the job which deletes payloads comes first. */
const SPARE_DAYS = 35

/** For sources whose retention is not said. */
const MANY_DAYS = 3650

const EVENT = 0

/** The event and its effect in one request (webhooks-61). */
export function dynamoEventStore(documents: Documents, tables: EventTables, pause: Pause = jitter): EventStore {
  const written = new WeakMap<Buffer, StoredParts>()

  /** The parts of a body that is inserted again, because something blocked its effects, are there already. */
  async function place(event: WebhookEvent, isAlone: boolean): Promise<StoredBody> {
    const inline = inlineBody(event.payload, isAlone)
    if (inline) return inline
    const known = partsOf(event)
    if (known) return known
    const parts = await writeParts(documents, tables.events, event, expiryOf(event, tables), pause)
    written.set(event.payload, parts)
    return parts
  }

  /** Those that are written already; never those of another event that came in the same memory. */
  function partsOf({ payload, id }: WebhookEvent): StoredParts | undefined {
    const parts = written.get(payload)
    return parts?.partsOf === String(id) ? parts : undefined
  }

  return {
    async insert(event, effects, { content, items, deliverTo = [] } = {}) {
      const contents = content ? [putContent(tables.events, event, content)] : []
      const elements = (items ?? []).map((item, index) => putElement(tables.events, event, item, index + 1))
      const deliveries = deliverTo.map((row) => putDelivery(deliveriesIn(tables), event, row))
      const after = [...elements, ...deliveries]
      const isAlone = [...contents, ...after].length === 0 && !hasRows(effects)
      const put = putNew(tables.events, toItem(event, await place(event, isAlone)))
      const writes = {
        before: [{ Put: put }, ...contents],
        kinds: tables.effects,
        effects,
        cause: causeIn(event),
        after,
      }
      const result = isAlone ? await putIf(documents, put) : await transactEffects(documents, writes, pause)
      if (result.kind === 'written') return { kind: 'inserted' }
      const { index, item } = shown(result)
      return index <= contents.length ? knownAs(index, item) : blockedBy(writes, index, item)
    },

    async forget(event) {
      const parts = partsOf(event)
      if (parts) await deleteParts(documents, tables.events, { ...event, ...parts }, parts.payloadParts, pause)
    },

    async noteConflict({ source, eventId, idConflict }, at) {
      const count = (idConflict?.count ?? 0) + 1
      await updateIf(documents, {
        TableName: tables.events,
        Key: { source, eventId },
        UpdateExpression: 'SET idConflict = :now',
        ConditionExpression: idConflict ? 'idConflict.#count = :before' : 'attribute_not_exists(idConflict)',
        ...(idConflict && { ExpressionAttributeNames: { '#count': 'count' } }),
        ExpressionAttributeValues: {
          ':now': { count, lastAt: at.getTime() },
          ...(idConflict && { ':before': idConflict.count }),
        },
      })
    },
  }
}

function expiryOf({ source, receivedAt }: WebhookEvent, { keptDays = () => MANY_DAYS }: EventTables): Date {
  return new Date(receivedAt.getTime() + (keptDays(source) + SPARE_DAYS) * DAY)
}

function causeIn(event: WebhookEvent): EffectCause {
  return { ...event, at: event.processedAt ?? event.receivedAt }
}

function deliveriesIn({ deliveries }: EventTables): string {
  if (deliveries === undefined) throw new Error('no table is given for deliveries')
  return deliveries
}

function shown({ index, item }: ConditionFailed) {
  if (item === undefined) throw new Error('a condition failed without showing its row')
  return { index, item }
}

/** What is in the place of an event or of its content. */
function knownAs(index: number, item: Item): InsertResult {
  if (index === EVENT) return { kind: 'present', event: headOf(item as unknown as EventItem) }
  return { kind: 'repeated', last: { eventId: String(item['lastEventId']), at: new Date(Number(item['at'])) } }
}

function putNew(table: string, item: object) {
  return {
    TableName: table,
    Item: { ...item },
    ConditionExpression: 'attribute_not_exists(eventId)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const
}

/** Takes the place of a content in the same table; no source has such a name, so no event can stand there. */
function putContent(table: string, { source, eventId, receivedAt }: WebhookEvent, { sha256, last }: Content) {
  const row = { source: `${source}#body`, eventId: sha256, lastEventId: eventId, at: receivedAt.getTime() }
  const put = putNew(table, row)
  if (!last) return { Put: put }
  const values = { ':last': last.eventId }
  const isFree = `${put.ConditionExpression} OR lastEventId = :last`
  return { Put: { ...put, ConditionExpression: isFree, ExpressionAttributeValues: values } }
}

type Content = NonNullable<Beside['content']>
