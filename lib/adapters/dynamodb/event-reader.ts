import { plainType } from '../../webhooks/audit.ts'
import type { EventReader } from '../../webhooks/detail.ts'
import type { EventHead, EventKey } from '../../webhooks/event.ts'
import type { OperatorStore } from '../../webhooks/operators/reset.ts'
import {
  type DeletionOrder,
  PAYLOAD_DELETED,
  type PayloadDeletion,
  type PayloadStore,
} from '../../webhooks/retention/payloads.ts'
import { dueShardOf, type EventItem, headOf, moveOf } from './event-item.ts'
import { deleteElements, deleteParts, readElements, readStoredBody } from './stored-body.ts'
import {
  type ConditionFailed,
  type Documents,
  IS_ALIVE,
  inRounds,
  itemAt,
  jitter,
  type Pause,
  ttlAt,
  updateIf,
  type Written,
} from './table.ts'
import { updateRecorded } from './trail.ts'

export function dynamoEventReader(documents: Documents, table: string, pause: Pause = jitter): EventReader {
  async function read({ source, eventId }: EventKey): Promise<EventItem | undefined> {
    return (await itemAt(documents, table, { source, eventId })) as EventItem | undefined
  }

  return {
    async find(key) {
      const item = await read(key)
      if (item === undefined) return undefined
      const head = headOf(item)
      if (head.payloadDeletedAt !== undefined) return { ...head, payload: undefined }
      const { payloadSha256 } = head
      return { ...head, payload: await readStoredBody(documents, table, { ...item, payloadSha256 }, pause) }
    },

    async head(key) {
      const item = await read(key)
      return item && headOf(item)
    },

    items: (key, count) => readElements(documents, table, key, count, pause),
  }
}

const IS_FAILED = `#status = :failed AND attribute_not_exists(payloadDeletedAt) AND ${IS_ALIVE}`
const IS_NOT_TAKEN_UP = '(attribute_not_exists(replayId) OR replayId <> :replayId)'

/** The move of operators on the events table. */
export function dynamoOperatorStore(documents: Documents, table: string): OperatorStore {
  return {
    async reset({ source, eventId }, { at, user, orderedBy, reason, replayId }) {
      const due = at.getTime()
      const move = moveOf(
        table,
        { source, eventId },
        {
          entry: { at, status: 'FAILED', by: 'operator', user, reason },
          isPublished: true,
          set: {
            attempts: 0,
            dead: false,
            orderedAt: due,
            orderedBy,
            nextRetryAt: due,
            sweepAt: due,
            dueShard: dueShardOf({ eventId }),
            replayId,
          },
          remove: orderedBy === undefined ? ['orderedBy'] : [],
          when: replayId === undefined ? IS_FAILED : `${IS_FAILED} AND ${IS_NOT_TAKEN_UP}`,
          values: {
            ':failed': 'FAILED',
            ':alive': ttlAt(at),
            ...(replayId !== undefined && { ':replayId': replayId }),
          },
        },
      )
      const { kind, item } = await updateRecorded(documents, move)
      const event = item && headOf(item as unknown as EventItem)
      return kind === 'written' && event ? { kind: 'reset', event } : { kind: 'refused', event }
    },
  }
}

/** Each run changes the status or the number of attempts. */
const AS_READ = '#status = :status AND attempts = :attempts'
/** A row that waits for a run, or has one under way, carries `dueShard`. */
const IS_SETTLED = 'attribute_not_exists(dueShard)'
const HAS_PAYLOAD = `attribute_exists(eventId) AND attribute_not_exists(payloadDeletedAt) AND ${IS_ALIVE}`

/** The attributes with the body; `payloadParts` is removed after the parts. */
const BODY = ['payload', 'coding', 'summary']

/** What a row has only while it waits for a run or has one. */
const RUN = ['nextRetryAt', 'dueShard', 'sweepAt', 'leaseUntil']

/** Replaces the owner of a run. Otherwise its worker would take the status that this write sets for its own. */
const NOBODY = 'nobody'

/** The deletion of payloads on the events table. */
export function dynamoPayloads(documents: Documents, table: string, pause: Pause = jitter): PayloadStore {
  /** Deletes what is beside a row that has lost its payload. Doing it again changes nothing. */
  async function clear(item: EventItem): Promise<void> {
    if (item.itemCount) await deleteElements(documents, table, item, item.itemCount, pause)
    if (item.payloadParts === undefined) return
    await deleteParts(documents, table, item, item.payloadParts, pause)
    await updateIf(documents, {
      TableName: table,
      Key: { source: item.source, eventId: item.eventId },
      UpdateExpression: 'REMOVE payloadParts, partsOf',
      ConditionExpression: 'attribute_exists(payloadDeletedAt)',
      ReturnValues: 'NONE',
    })
  }

  async function concluded(result: Written | ConditionFailed, isEnded: boolean): Promise<PayloadDeletion> {
    if (result.item === undefined) return { kind: 'missing' }
    const item = result.item as unknown as EventItem
    const event = headOf(item)
    if (event.payloadDeletedAt === undefined) return { kind: 'needed', event }
    await clear(item)
    return { kind: 'deleted', event, isEnded: isEnded && result.kind === 'written' }
  }

  return {
    async deleteOrdered(event, order) {
      let read = event
      return inRounds(pause, 'others changed the event in every round', async () => {
        const result = await updateRecorded(documents, orderedMove(table, read, order))
        const stands = result.item && headOf(result.item as unknown as EventItem)
        if (isSettled(result, stands, order)) return concluded(result, isRunAhead(read))
        read = stands ?? read
        return undefined
      })
    },
  }
}

/** The move that takes the payload of an event as it was read, and with force its run. */
function orderedMove(table: string, read: EventHead, { at, user, isForced }: DeletionOrder) {
  const isRun = isRunAhead(read)
  const status = isRun ? 'FAILED' : read.status
  const entry = { at, status, by: 'operator', user, reason: PAYLOAD_DELETED } as const
  const gone = { payloadDeletedAt: at.getTime(), headers: {}, eventType: plainType(read.eventType) }
  return moveOf(table, read, {
    entry: isRun ? { ...entry, error: PAYLOAD_DELETED } : entry,
    history: read.history,
    isPublished: isRun,
    set: isRun ? { ...gone, dead: true, errorMessage: PAYLOAD_DELETED, owner: NOBODY } : gone,
    remove: isRun ? [...BODY, ...RUN] : BODY,
    when: isForced ? `${HAS_PAYLOAD} AND ${AS_READ}` : `${HAS_PAYLOAD} AND ${AS_READ} AND ${IS_SETTLED}`,
    values: { ':status': read.status, ':attempts': read.attempts, ':alive': ttlAt(at) },
  })
}

/** Whether no other try is needed: it is done, was done before, must not be done, or there is no such event. */
function isSettled({ kind }: Written | ConditionFailed, stands: EventHead | undefined, { isForced }: DeletionOrder) {
  if (kind === 'written' || stands === undefined || stands.payloadDeletedAt) return true
  return !isForced && isRunAhead(stands)
}

/** Whether the event waits for a run, or has one under way. */
function isRunAhead({ status, nextRetryAt, held }: EventHead): boolean {
  if (held) return false
  return status === 'FAILED' ? nextRetryAt !== undefined : status !== 'PROCESSED'
}
