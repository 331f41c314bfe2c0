import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import type { LastCallStore } from '../../webhooks/last-calls.ts'
import type { RefusalList } from '../../webhooks/refusals/list.ts'
import { type CountedRefusals, KEPT_MS, type RefusalStore, refusalKeyOf } from '../../webhooks/refusals/refusal.ts'
import type { GoodDocuments } from '../../webhooks/rotating-keys.ts'
import type { Setup, SetupOpener, SetupStore } from '../../webhooks/setup.ts'
import { itemsOf } from './lists.ts'
import { type Documents, type Item, itemAt, request, timesIn, ttlAt, updateIf } from './table.ts'
import { putRecorded } from './trail.ts'

/** The attributes that the last refusal of a row replaces; DynamoDB reserves some of their names. */
const LATEST = ['source', 'reason', 'verdict', 'address', 'size', 'headers', 'lastAt', 'ttl'] as const

/** The refusals table: `ttl` is the expiry in seconds, other times are milliseconds since the epoch. */
export function dynamoRefusalStore(documents: Documents, table: string): RefusalStore {
  return {
    async add(refusals, signal) {
      const { count, firstAt, lastAt, ...latest } = refusals
      const ttl = ttlAt(new Date(lastAt.getTime() + KEPT_MS))
      const values: Item = { ...latest, lastAt: lastAt.getTime(), ttl }
      const update = new UpdateCommand({
        TableName: table,
        Key: refusalKeyOf(refusals),
        UpdateExpression: `ADD #count :count SET firstAt = if_not_exists(firstAt, :firstAt), ${LATEST.map((name) => `#${name} = :${name}`).join(', ')}`,
        ExpressionAttributeValues: {
          ':count': count,
          ':firstAt': firstAt.getTime(),
          ...Object.fromEntries(LATEST.map((name) => [`:${name}`, values[name]])),
        },
      })
      await request(() => documents.send(update, { abortSignal: signal }))
    },
  }
}

/** One query for each day of the span, and more only for a day beyond 1 MB. */
export function dynamoRefusalList(documents: Documents, table: string): RefusalList {
  return {
    async between(oldest, newest, source) {
      const queries = daysOf(oldest, newest).map((day) => ({
        TableName: table,
        KeyConditionExpression: '#day = :day',
        FilterExpression: `lastAt >= :oldest AND lastAt <= :newest${source === undefined ? '' : ' AND #source = :source'}`,
        ExpressionAttributeValues: {
          ':day': day,
          ':oldest': oldest.getTime(),
          ':newest': newest.getTime(),
          ':source': source,
        },
      }))
      const items = await itemsOf(documents, ...queries)
      return items.map(fromItem)
    },
  }
}

const DAY_MS = 24 * 60 * 60 * 1000

/** The days of a span as keys of the table have them, both ends included. */
function daysOf(oldest: Date, newest: Date): readonly string[] {
  const first = Math.floor(oldest.getTime() / DAY_MS)
  const count = Math.floor(newest.getTime() / DAY_MS) - first + 1
  return Array.from({ length: count }, (_, index) => new Date((first + index) * DAY_MS).toISOString().slice(0, 10))
}

function fromItem({ source, reason, verdict, count, address, size, headers, firstAt, lastAt }: Item): CountedRefusals {
  const same = { source, reason, verdict, count, address, size, headers } as unknown as CountedRefusals
  return { ...same, firstAt: new Date(Number(firstAt)), lastAt: new Date(Number(lastAt)) }
}

/** The partition of the refusals table with a row for each source; refusals have days. */
const SOURCES = 'sources'

/** How long a row is kept after the last call of its source, in milliseconds. */
const CALLS_KEPT_MS = 400 * 24 * 60 * 60 * 1000

const ATTRIBUTES = { accepted: 'lastAcceptedAt', refused: 'lastRefusedAt' } as const

/** Times are milliseconds since the epoch. */
interface CallItem {
  readonly cause: string
  readonly lastAcceptedAt?: number
  readonly lastRefusedAt?: number
}

export function dynamoLastCalls(documents: Documents, table: string): LastCallStore {
  return {
    async note(source, result, at, signal) {
      const update = new UpdateCommand({
        TableName: table,
        Key: { day: SOURCES, cause: source },
        UpdateExpression: `SET ${ATTRIBUTES[result]} = :at, #ttl = :ttl`,
        ExpressionAttributeValues: { ':at': at.getTime(), ':ttl': ttlAt(new Date(at.getTime() + CALLS_KEPT_MS)) },
      })
      await request(() => documents.send(update, { abortSignal: signal }))
    },

    async all() {
      const found = await itemsOf(documents, {
        TableName: table,
        KeyConditionExpression: '#day = :sources',
        ExpressionAttributeValues: { ':sources': SOURCES },
      })
      return (found as unknown as readonly CallItem[]).map(({ cause, ...times }) => ({
        source: cause,
        ...timesIn(times, 'lastAcceptedAt', 'lastRefusedAt'),
      }))
    },
  }
}

interface GoodItem {
  readonly keyDocuments?: readonly string[]
}

/** In the row of each source, beside its last calls: where its keys were found. */
export function dynamoGoodDocuments(documents: Documents, table: string, now: () => Date): GoodDocuments {
  const rowOf = (source: string) => ({ TableName: table, Key: { day: SOURCES, cause: source } })
  return {
    async of(source) {
      return ((await itemAt(documents, table, rowOf(source).Key)) as GoodItem | undefined)?.keyDocuments ?? []
    },

    async keep(source, names) {
      const update = new UpdateCommand({
        ...rowOf(source),
        UpdateExpression: 'SET keyDocuments = :names, #ttl = :ttl',
        ExpressionAttributeValues: { ':names': names, ':ttl': ttlAt(new Date(now().getTime() + CALLS_KEPT_MS)) },
      })
      await request(() => documents.send(update))
    },
  }
}

/** The partition of the refusals table with the set-ups of sources, whose tokens no list shows. */
const SETUPS = 'setups'

type SetupItem = Omit<Setup, 'until' | 'at'> & Readonly<Record<'until' | 'at', number | undefined>>

const setupOf = (source: string) => ({ day: SETUPS, cause: source })

/** For who opens set-ups, with the row of the action under way. */
export function dynamoSetupOpener(documents: Documents, table: string): SetupOpener {
  return {
    async open(source, until) {
      const item = { ...setupOf(source), state: 'open', until: until.getTime(), ttl: ttlAt(until) }
      await putRecorded(documents, { TableName: table, Item: item })
    },
  }
}

/** A set-up goes soon after its hour; until then its readers compare the time. */
export function dynamoSetups(documents: Documents, table: string): SetupStore {
  return {
    async read(source) {
      const item = (await itemAt(documents, table, setupOf(source))) as SetupItem | undefined
      if (!item) return undefined
      const { state, token, from, at, until = 0 } = item
      return { state, until: new Date(until), ...(token && from && at && { token, from, at: new Date(at) }) }
    },

    async keep(source, { token, at, from }) {
      const { kind } = await updateIf(documents, {
        TableName: table,
        Key: setupOf(source),
        UpdateExpression:
          'SET #state = :received, #token = :token, #at = if_not_exists(#at, :now), #from = if_not_exists(#from, :from)',
        ConditionExpression: '#until > :now AND (#state = :open OR (#state = :received AND #token = :token))',
        ExpressionAttributeValues: {
          ':received': 'received',
          ':open': 'open',
          ':token': token,
          ':now': at.getTime(),
          ':from': from,
        },
      })
      return kind === 'written'
    },

    async end(source, now) {
      await updateIf(documents, {
        TableName: table,
        Key: setupOf(source),
        UpdateExpression: 'SET #state = :conflict REMOVE #token, #at, #from',
        ConditionExpression: '#until > :now AND #state = :received',
        ExpressionAttributeValues: { ':conflict': 'conflict', ':received': 'received', ':now': now.getTime() },
      })
    },
  }
}
