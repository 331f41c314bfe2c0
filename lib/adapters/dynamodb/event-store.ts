import type { Buffer } from 'node:buffer'
import type { WebhookEvent } from '../../webhooks/event.ts'
import type { Content, EventStore, InsertResult, Repeated } from '../../webhooks/place.ts'
import type { Retention } from '../../webhooks/retention/retention.ts'
import { putDelivery } from './delivery-item.ts'
import { blockedBy, type EffectCause, type EffectKind, hasRows, transactEffects } from './effects.ts'
import { type EventItem, headOf, toItem } from './event-item.ts'
import { deleteParts, inlineBody, putElement, type StoredBody, type StoredParts, writeParts } from './stored-body.ts'
import {
  type ConditionFailed,
  type Documents,
  type Item,
  jitter,
  type Pause,
  putIf,
  type Stored,
  timeAt,
  ttlAt,
  updateIf,
  whereFree,
} from './table.ts'

/** Where events are kept, and the kinds of rows that they may change. */
export interface EventTables {
  readonly events: string
  readonly effects: readonly EffectKind[]
  /** Needed for events that have deliveries. */
  readonly deliveries?: string | undefined
  /** How long events are kept; for ten years if absent. */
  readonly retention?: Retention | undefined
}

const DAY = 86_400_000

const TEN_YEARS: Retention = { daysOf: () => 3650, dedupeDays: 3650 }

/** The event and its effect in one request (webhooks-61). */
export function dynamoEventStore(documents: Documents, tables: EventTables, pause: Pause = jitter): EventStore {
  const written = new WeakMap<Buffer, StoredParts>()

  /** The parts of a body that is inserted again, because something blocked its effects, are there already. */
  async function place(event: WebhookEvent, isAlone: boolean): Promise<StoredBody> {
    const inline = inlineBody(event.payload, isAlone)
    if (inline) return inline
    const known = partsOf(event)
    if (known) return known
    const parts = await writeParts(documents, tables.events, event, endOf(event, tables), pause)
    written.set(event.payload, parts)
    return parts
  }

  /** Those that are written already; never those of another event that came in the same memory. */
  function partsOf({ payload, id }: WebhookEvent): StoredParts | undefined {
    const parts = written.get(payload)
    return parts?.partsOf === String(id) ? parts : undefined
  }

  /** The rows by which a later call with the same content or identity is known. */
  function besideOf(event: WebhookEvent, content: Content | undefined, isIdentified = false) {
    const contents = content ? [putContent(tables, event, content)] : []
    return isIdentified ? [...contents, putIdentity(tables, event)] : contents
  }

  return {
    async insert(event, effects, { content, isIdentified, items = [], deliverTo = [] } = {}) {
      const endsAt = endOf(event, tables)
      const beside = besideOf(event, content, isIdentified)
      const elements = items.map((item, index) => putElement(tables.events, { ...event, endsAt }, item, index + 1))
      const deliveries = deliverTo.map((row) => putDelivery(deliveriesIn(tables), event, row, endsAt))
      const after = [...elements, ...deliveries]
      const isAlone = [...beside, ...after].length === 0 && !hasRows(effects)
      const put = putNew(tables.events, toItem(event, await place(event, isAlone), endsAt), event.receivedAt)
      const writes = {
        before: [{ Put: put }, ...beside],
        kinds: tables.effects,
        effects,
        cause: causeIn(event),
        after,
      }
      const result = isAlone ? await putIf(documents, put) : await transactEffects(documents, writes, pause)
      if (result.kind === 'written') return { kind: 'inserted' }
      const { index, item } = shown(result)
      return index <= beside.length ? knownAs(item) : blockedBy(writes, index, item)
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

function endOf({ source, receivedAt }: WebhookEvent, { retention = TEN_YEARS }: EventTables): Date {
  return new Date(receivedAt.getTime() + retention.daysOf(source) * DAY)
}

/** Until when a call with the same identity or content does nothing again. */
function knownUntil({ receivedAt }: WebhookEvent, { retention = TEN_YEARS }: EventTables): Date {
  return new Date(receivedAt.getTime() + retention.dedupeDays * DAY)
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

/** What is in the place of an event, of its identity or of its content. */
function knownAs(item: Item): InsertResult {
  if (item['listShard'] !== undefined) return { kind: 'present', event: headOf(item as unknown as EventItem) }
  if (item['lastEventId'] === undefined) return { kind: 'ended' }
  const { lastEventId: eventId, at, since, types } = item as unknown as ContentItem
  return { kind: 'repeated', last: { eventId, at: timeAt(at), since: timeAt(since), types } }
}

/** The row of a content, in the place of an event. */
interface ContentItem extends Stored<Omit<Repeated, 'eventId'>> {
  readonly lastEventId: string
}

function putNew(table: string, item: object, now: Date) {
  return {
    TableName: table,
    Item: { ...item },
    ...whereFree('eventId', now),
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const
}

/** Takes the place of a content in the same table; no source has such a name, so no event can stand there. */
function putContent(tables: EventTables, event: WebhookEvent, { sha256, last, since, types }: Content) {
  const { source, eventId, receivedAt } = event
  const expireAt = ttlAt(knownUntil(event, tables))
  const content: ContentItem = { lastEventId: eventId, at: receivedAt.getTime(), since: since?.getTime(), types }
  const row = { source: `${source}#body`, eventId: sha256, ...content, expireAt }
  const put = putNew(tables.events, row, receivedAt)
  if (!last) return { Put: put }
  const values = { ...put.ExpressionAttributeValues, ':last': last.eventId }
  const isFree = `${put.ConditionExpression} OR lastEventId = :last`
  return { Put: { ...put, ConditionExpression: isFree, ExpressionAttributeValues: values } }
}

/** Takes the place of an id in the same way, beyond the end of its event. */
function putIdentity(tables: EventTables, event: WebhookEvent) {
  const { source, eventId, receivedAt } = event
  const row = { source: `${source}#id`, eventId, expireAt: ttlAt(knownUntil(event, tables)) }
  return { Put: putNew(tables.events, row, receivedAt) }
}
