import { randomUUID } from 'node:crypto'
import { DeleteCommand, type PutCommandInput } from '@aws-sdk/lib-dynamodb'
import { type Health, healthyOf } from '../../deliver/breaker.ts'
import type { NewsDesk, Told } from '../../deliver/news.ts'
import type { HealthStore } from '../../deliver/stores.ts'
import { rowsUnder } from './delivery-store.ts'
import { type NewsTables, newsPuts } from './news.ts'
import {
  type Documents,
  inRounds,
  itemAt,
  jitter,
  type Pause,
  request,
  SHOW_OLD,
  type Stored,
  storedOf,
  timesIn,
} from './table.ts'
import { putRecorded, transactRecorded } from './trail.ts'

/** No event is stored under this name: the names of events contain a slash. */
const EVENT = '#destination'

const TIMES = ['failingSince', 'since', 'probeAt', 'heldUntil', 'lastAnswerAt', 'removedAt'] as const

/** Health as the deliveries table holds it. */
interface HealthItem extends Stored<Health> {
  readonly event: typeof EVENT
  /** The id of the last write. */
  readonly writeId: string
}

type Change = Parameters<HealthStore['change']>[1]

/**
 * Rows of the deliveries table beside those of the events.
 * @param news makes the event about a change, which is stored in the same transaction
 */
export function dynamoHealthStore(
  documents: Documents,
  table: string,
  pause: Pause = jitter,
  news?: { readonly desk: NewsDesk; readonly tables: NewsTables },
): HealthStore {
  const keyOf = (destination: string) => ({ event: EVENT, destination })

  async function read(destination: string): Promise<Health> {
    const item = await itemAt(documents, table, keyOf(destination))
    return item ? toHealth(item as unknown as HealthItem) : healthyOf(destination)
  }

  /** Replaces the row that was read, or returns what another writer has stored since. */
  async function write(present: Health, changed: Health) {
    const { destination } = present
    const health = { ...changed, destination, version: present.version + 1 }
    const writeId = randomUUID()
    const item = { ...storedOf(health), ...keyOf(destination), writeId }
    const told = news?.desk.ofHealth(present, health)
    const result = await putWith({ TableName: table, Item: item, ...isAsRead(present) }, told)
    const stored = result.kind === 'refused' ? (result.item as HealthItem | undefined) : undefined
    // The id of this write: the answer to an earlier try of it was lost.
    const isWritten = result.kind === 'written' || stored?.writeId === writeId
    if (isWritten && told) await news?.desk.wake(told)
    if (isWritten) return { isWritten, health }
    return { isWritten, health: stored ? toHealth(stored) : healthyOf(destination) }
  }

  async function putWith(put: PutCommandInput, told: Told | undefined) {
    if (!told || !news) return putRecorded(documents, put)
    return transactRecorded(documents, [{ Put: { ...put, ...SHOW_OLD } }, ...newsPuts(news.tables, told)], pause)
  }

  async function settle(known: Health, change: Change): Promise<Health> {
    let present = known
    return inRounds(pause, 'others changed the health of the destination in every round', async () => {
      const changed = change(present)
      if (!changed) return present
      const { isWritten, health } = await write(present, changed)
      present = health
      return isWritten ? health : undefined
    })
  }

  return {
    read,

    all: async () => (await rowsUnder(documents, table, EVENT)).map((row) => toHealth(row as unknown as HealthItem)),

    change: async (destination, change, known) => settle(known ?? (await read(destination)), change),

    async remove(destination) {
      await request(() => documents.send(new DeleteCommand({ TableName: table, Key: keyOf(destination) })))
    },
  }
}

function isAsRead({ version }: Health) {
  if (version === 0) return { ConditionExpression: 'attribute_not_exists(destination)' }
  return { ConditionExpression: 'version = :version', ExpressionAttributeValues: { ':version': version } }
}

function toHealth({ event, writeId, ...item }: HealthItem): Health {
  return { ...item, ...timesIn(item, ...TIMES) }
}
