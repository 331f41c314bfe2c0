import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { KEPT_MS, type RefusalStore, refusalKeyOf } from '../../webhooks/refusals/refusal.ts'
import { type Documents, request } from './client.ts'
import type { Item } from './conditional.ts'
import { ttlAt } from './ttl.ts'

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
        ExpressionAttributeNames: {
          '#count': 'count',
          ...Object.fromEntries(LATEST.map((name) => [`#${name}`, name])),
        },
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
