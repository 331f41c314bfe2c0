import type { Buffer } from 'node:buffer'
import { createRecent } from '../../runtime/cache.ts'
import type { EventKey, WebhookEvent } from '../../webhooks/event.ts'
import type { Content, EventStore, InsertResult, Repeated } from '../../webhooks/place.ts'
import type { Retention } from '../../webhooks/retention/retention.ts'
import { putDelivery } from './delivery-item.ts'
import { blockedBy, type EffectKind, hasRows, transactEffects } from './effects.ts'
import { COMPARED, type EventItem, presentOf, toItem } from './event-item.ts'
import { deleteParts, inlineBody, putElement, type StoredParts, writeParts } from './stored-body.ts'
import {
  type ConditionFailed,
  type Documents,
  type Item,
  itemAt,
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

/** How many events an instance remembers that it met. */
const MOST_MET = 1000

const READ = [...COMPARED, 'listShard', 'expireAt']

const TEN_YEARS: Retention = { daysOf: () => 3650, dedupeDays: 3650 }

/** The event and its effect in one request (webhooks-61). */
export function dynamoEventStore(documents: Documents, tables: EventTables, pause: Pause = jitter): EventStore {
  const { retention = TEN_YEARS } = tables
  const written = new WeakMap<Buffer, StoredParts>()
  const met = createRecent<true>(MOST_MET)

  /** An event that this instance met: to read it costs less than a transaction that it refuses. */
  async function present({ source, eventId }: EventKey): Promise<InsertResult | undefined> {
    if (!met.get(nameOf({ source, eventId }))) return undefined
    const item = await itemAt(documents, tables.events, { source, eventId }, READ)
    return item && knownAs(item)
  }

  /** Writes the parts of a large body, unless an insert did that before something blocked its effects. */
  async function placeParts(event: WebhookEvent, endsAt: Date): Promise<StoredParts> {
    const known = partsOf(event)
    if (known) return known
    const parts = await writeParts(documents, tables.events, event, endsAt, pause)
    written.set(event.payload, parts)
    return parts
  }

  /** Those that are written already; never those of another event that came in the same memory. */
  function partsOf({ payload, id }: WebhookEvent): StoredParts | undefined {
    const parts = written.get(payload)
    return parts?.partsOf === String(id) ? parts : undefined
  }

  /** The rows by which a later call with the same content or identity is known. */
  function besideOf(event: WebhookEvent, content: Content | undefined, isIdentified: boolean | undefined) {
    const until = new Date(event.receivedAt.getTime() + retention.dedupeDays * DAY)
    const contents = content ? [putContent(tables.events, event, content, until)] : []
    return isIdentified ? [...contents, putIdentity(tables.events, event, until)] : contents
  }

  const write: EventStore['insert'] = async (event, effects, beside = {}) => {
    const { content, isIdentified, items = [], deliverTo = [] } = beside
    const { source, receivedAt, processedAt = receivedAt } = event
    const known = besideOf(event, content, isIdentified)
    const endsAt = new Date(receivedAt.getTime() + retention.daysOf(source) * DAY)
    const elements = items.map((item, index) => putElement(tables.events, { ...event, endsAt }, item, index + 1))
    const deliveries = deliverTo.map((row) => putDelivery(deliveriesIn(tables), event, row, endsAt))
    const after = [...elements, ...deliveries]
    const isAlone = [...known, ...after].length === 0 && !hasRows(effects)
    const body = inlineBody(event.payload, isAlone) ?? (await placeParts(event, endsAt))
    const put = putNew(tables.events, toItem(event, body, endsAt), receivedAt)
    const writes = {
      before: [{ Put: put }, ...known],
      kinds: tables.effects,
      effects,
      cause: { ...event, at: processedAt },
      after,
    }
    const result = isAlone ? await putIf(documents, put) : await transactEffects(documents, writes, pause)
    if (result.kind === 'written') return { kind: 'inserted' }
    const { index, item } = shown(result)
    return index <= known.length ? knownAs(item) : blockedBy(writes, index, item)
  }

  return {
    async insert(event, effects, beside) {
      const result = (await present(event)) ?? (await write(event, effects, beside))
      if (result.kind === 'inserted' || result.kind === 'present') met.set(nameOf(event), true)
      return result
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
        ExpressionAttributeValues: {
          ':now': { count, lastAt: at.getTime() },
          ...(idConflict && { ':before': idConflict.count }),
        },
      })
    },
  }
}

function nameOf({ source, eventId }: EventKey): string {
  return `${source}\n${eventId}`
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
  if (item['listShard'] !== undefined) return { kind: 'present', event: presentOf(item as unknown as EventItem) }
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
function putContent(
  table: string,
  { source, eventId, receivedAt }: WebhookEvent,
  { sha256, last, since, types }: Content,
  knownUntil: Date,
) {
  const content: ContentItem = { lastEventId: eventId, at: receivedAt.getTime(), since: since?.getTime(), types }
  const row = { source: `${source}#body`, eventId: sha256, ...content, expireAt: ttlAt(knownUntil) }
  const put = putNew(table, row, receivedAt)
  if (!last) return { Put: put }
  const values = { ...put.ExpressionAttributeValues, ':last': last.eventId }
  const isFree = `${put.ConditionExpression} OR lastEventId = :last`
  return { Put: { ...put, ConditionExpression: isFree, ExpressionAttributeValues: values } }
}

/** Takes the place of an id in the same way, beyond the end of its event. */
function putIdentity(table: string, { source, eventId, receivedAt }: WebhookEvent, knownUntil: Date) {
  return { Put: putNew(table, { source: `${source}#id`, eventId, expireAt: ttlAt(knownUntil) }, receivedAt) }
}
