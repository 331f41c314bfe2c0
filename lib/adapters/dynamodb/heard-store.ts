import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { type HeardStore, REMEMBERED_MS } from '../../webhooks/heard/heard.ts'
import { utcDayOf } from '../../webhooks/refusals/refusal.ts'
import { type Documents, request } from './client.ts'
import { HEARD } from './heard-list.ts'
import { ttlAt } from './ttl.ts'

/** One row for each source and day, in the refusals table; times are milliseconds since the epoch. */
export function dynamoHeardStore(documents: Documents, table: string): HeardStore {
  return {
    async note(source, at, signal) {
      const update = new UpdateCommand({
        TableName: table,
        Key: { day: HEARD, cause: `${utcDayOf(at)}#${source}` },
        UpdateExpression: 'SET firstAt = if_not_exists(firstAt, :at), lastAt = :at, #source = :source, #ttl = :ttl',
        ExpressionAttributeNames: { '#source': 'source', '#ttl': 'ttl' },
        ExpressionAttributeValues: {
          ':at': at.getTime(),
          ':source': source,
          ':ttl': ttlAt(new Date(at.getTime() + REMEMBERED_MS)),
        },
      })
      await request(() => documents.send(update, { abortSignal: signal }))
    },
  }
}
