import { BatchGetCommand, type BatchGetCommandInput, QueryCommand } from '@aws-sdk/lib-dynamodb'
import type { Replay } from '../../webhooks/operators/replay.ts'
import type { ReplayList } from '../../webhooks/operators/replays.ts'
import { type Documents, request } from './client.ts'
import { jitter, type Pause } from './conditional.ts'
import { LISTED_REPLAYS, replayIn } from './replay-store.ts'
import { drain } from './stored-body.ts'

/** The most keys of one BatchGetItem (DynamoDB API reference). */
const MOST_KEYS = 100

/** The index `byTime` says which replays come next, the table says how far they are. */
export function dynamoReplayList(documents: Documents, table: string, pause: Pause = jitter): ReplayList {
  async function read(replayIds: readonly string[]): Promise<ReadonlyMap<string, Replay>> {
    const replays = new Map<string, Replay>()
    for (let start = 0; start < replayIds.length; start += MOST_KEYS) {
      const keys = replayIds.slice(start, start + MOST_KEYS).map((replayId) => ({ replayId }))
      await drain<Keys>({ [table]: { Keys: keys } }, pause, async (rest) => {
        const { Responses: found, UnprocessedKeys: left } = await request(() =>
          documents.send(new BatchGetCommand({ RequestItems: rest })),
        )
        for (const item of found?.[table] ?? []) replays.set(String(item['replayId']), replayIn(item))
        return left
      })
    }
    return replays
  }

  return {
    async list(after, limit) {
      const start = after && {
        listed: LISTED_REPLAYS,
        acceptedAt: after.acceptedAt.getTime(),
        replayId: after.replayId,
      }
      const query = new QueryCommand({
        TableName: table,
        IndexName: 'byTime',
        ScanIndexForward: false,
        KeyConditionExpression: 'listed = :listed',
        ExpressionAttributeValues: { ':listed': LISTED_REPLAYS },
        Limit: limit + 1,
        ExclusiveStartKey: start,
      })
      const { Items: items = [] } = await request(() => documents.send(query))
      const page = items
        .slice(0, limit)
        .map(({ replayId, acceptedAt }) => ({ replayId, acceptedAt: new Date(acceptedAt) }))
      const stored = await read(page.map(({ replayId }) => replayId))
      return {
        replays: page.flatMap(({ replayId }) => stored.get(replayId) ?? []),
        next: items.length > limit ? page.at(-1) : undefined,
      }
    },
  }
}

type Keys = NonNullable<BatchGetCommandInput['RequestItems']>
