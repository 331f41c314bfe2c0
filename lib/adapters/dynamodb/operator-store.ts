import { createHash } from 'node:crypto'
import type { OperatorStore } from '../../webhooks/operators/reset.ts'
import type { Documents } from './client.ts'
import { DUE_SHARDS, type EventItem, headOf, shardOf } from './event-item.ts'
import { moveOf } from './event-move.ts'
import { updateRecorded } from './recorded.ts'
import { IS_ALIVE, ttlAt } from './ttl.ts'

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
          isNews: true,
          set: {
            attempts: 0,
            dead: false,
            orderedAt: due,
            orderedBy,
            nextRetryAt: due,
            sweepAt: due,
            dueShard: dueShardOf(eventId),
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

/** The row may have left the index of what is due; any key of it will do. */
function dueShardOf(eventId: string): string {
  return shardOf(DUE_SHARDS, createHash('sha256').update(eventId).digest('hex'))
}
