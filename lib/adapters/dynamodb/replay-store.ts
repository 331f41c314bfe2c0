import { GetCommand, type NumberValue, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { EventKey } from '../../webhooks/event.ts'
import type { Replay, ReplayRequest, Replays } from '../../webhooks/operators/replay.ts'
import type { ReplayClaim, ReplayRuns } from '../../webhooks/operators/replay-steps.ts'
import { type Documents, request } from './client.ts'
import { type Item, updateIf } from './conditional.ts'
import { putRecorded } from './recorded.ts'

/** The only key of the sparse index `waiting`: replays are few. */
const WAITING = 'replays'

/** The only key of the index `byTime`. */
export const LISTED_REPLAYS = 'replays'

/** A replay as the table holds it: times in milliseconds since the epoch. */
interface ReplayItem extends Omit<Replay, 'filter' | 'acceptedAt' | 'position'> {
  readonly filter: Omit<ReplayRequest['filter'], 'from' | 'to'> & {
    readonly from?: number | undefined
    readonly to?: number | undefined
  }
  readonly acceptedAt: number
  readonly position?: PositionItem | undefined
  readonly owner?: string | undefined
  readonly leaseUntil?: number | undefined
  /** With `wakeAt` the key of the sparse index `waiting`: present until the replay is done. */
  readonly waiting?: string | undefined
  readonly wakeAt?: number | undefined
  /** With `acceptedAt` the key of the index `byTime`. */
  readonly listed?: string | undefined
}

type PositionItem = EventKey & { readonly id: bigint | number | NumberValue }

export function dynamoReplays(documents: Documents, table: string): Replays {
  return {
    async create(replay) {
      const { kind, item } = await putRecorded(documents, {
        TableName: table,
        Item: { ...toItem(replay), listed: LISTED_REPLAYS, waiting: WAITING, wakeAt: replay.acceptedAt.getTime() },
        ConditionExpression: 'attribute_not_exists(replayId)',
      })
      return kind === 'refused' && item ? replayIn(item) : replay
    },

    async find(replayId) {
      const get = new GetCommand({ TableName: table, Key: { replayId }, ConsistentRead: true })
      const { Item: item } = await request(() => documents.send(get))
      return item && replayIn(item)
    },
  }
}

const IS_FREE = '(attribute_not_exists(leaseUntil) OR leaseUntil <= :now OR #owner = :me)'
const IS_MINE = 'step = :step AND #owner = :me'

export function dynamoReplayRuns(documents: Documents, table: string): ReplayRuns {
  /** Writes some attributes if the condition holds; undefined when it does not. */
  async function set(
    { replayId, step, owner }: ReplayClaim,
    changes: Item,
    { when, values = {}, remove = [] }: { when: string; values?: Item; remove?: readonly string[] },
  ): Promise<Item | undefined> {
    const given = Object.entries(changes).filter(([, value]) => value !== undefined)
    const removal = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : ''
    const { kind, item } = await updateIf(documents, {
      TableName: table,
      Key: { replayId },
      UpdateExpression: `SET ${given.map(([name]) => `#${name} = :to_${name}`).join(', ')}${removal}`,
      ConditionExpression: when,
      ExpressionAttributeNames: {
        '#owner': 'owner',
        ...Object.fromEntries(given.map(([name]) => [`#${name}`, name])),
      },
      ExpressionAttributeValues: {
        ':step': step,
        ':me': owner,
        ...values,
        ...Object.fromEntries(given.map(([name, value]) => [`:to_${name}`, value])),
      },
    })
    return kind === 'written' ? item : undefined
  }

  return {
    async claim(claim) {
      const leaseUntil = claim.leaseUntil.getTime()
      const item = await set(
        claim,
        { owner: claim.owner, leaseUntil, wakeAt: leaseUntil },
        {
          when: `step = :step AND attribute_exists(waiting) AND ${IS_FREE}`,
          values: { ':now': claim.now.getTime() },
        },
      )
      return item && replayIn(item)
    },

    async save(claim, progress) {
      const leaseUntil = claim.leaseUntil.getTime()
      const isOver = progress.state === 'DONE'
      const lease = isOver ? {} : { leaseUntil, wakeAt: leaseUntil }
      const remove = isOver ? ['leaseUntil', 'waiting', 'wakeAt'] : []
      return (await set(claim, { ...progress, ...lease }, { when: IS_MINE, remove })) !== undefined
    },

    async pass(claim, wakeAt) {
      const next = { step: claim.step + 1, wakeAt: wakeAt.getTime() }
      return (await set(claim, next, { when: IS_MINE, remove: ['leaseUntil'] })) !== undefined
    },

    async waiting(now) {
      const query = new QueryCommand({
        TableName: table,
        IndexName: 'waiting',
        KeyConditionExpression: 'waiting = :waiting AND wakeAt <= :now',
        ExpressionAttributeValues: { ':waiting': WAITING, ':now': now.getTime() },
      })
      const { Items: items = [] } = await request(() => documents.send(query))
      return items.map(({ replayId, step }) => ({ replayId, step }))
    },
  }
}

function toItem({ filter, acceptedAt, ...same }: Replay): ReplayItem {
  const { from, to, ...rest } = filter
  return {
    ...same,
    filter: { ...rest, from: from?.getTime(), to: to?.getTime() },
    acceptedAt: acceptedAt.getTime(),
  }
}

export function replayIn(found: Item): Replay {
  const { filter, acceptedAt, position, owner, leaseUntil, waiting, wakeAt, listed, ...same } =
    found as unknown as ReplayItem
  const { from, to, ...rest } = filter
  return {
    ...same,
    filter: { ...rest, from: toDate(from), to: toDate(to) },
    acceptedAt: new Date(acceptedAt),
    position: position && { ...position, id: BigInt(position.id.toString()) },
  }
}

function toDate(milliseconds: number | undefined): Date | undefined {
  return milliseconds === undefined ? undefined : new Date(milliseconds)
}
