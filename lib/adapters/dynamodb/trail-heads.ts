import type { ChainHead } from '../../trail/head.ts'
import type { TrailHeads } from '../../trail/trail.ts'
import type { Documents } from './client.ts'
import { updateIf } from './conditional.ts'

/** The row that names the newest chain; no chain is called that. */
export const NEWEST = '#newest'

/** The rows of the chains of the audit trail. Times are milliseconds since the epoch. */
export function dynamoTrailHeads(documents: Documents, table: string): TrailHeads {
  async function put({ chain, ...head }: ChainHead, condition: object): Promise<void> {
    const { seq, mac, at, openedAt, kid, seal } = head
    const values = {
      ':seq': seq,
      ':mac': mac,
      ':at': at.getTime(),
      ':openedAt': openedAt.getTime(),
      ':kid': kid,
      ':seal': seal,
    }
    const written = await updateIf(documents, {
      TableName: table,
      Key: { chain },
      UpdateExpression: 'SET seq = :seq, mac = :mac, #at = :at, openedAt = :openedAt, kid = :kid, seal = :seal',
      ExpressionAttributeNames: { '#at': 'at' },
      ReturnValues: 'NONE',
      ...merged(values, condition),
    })
    // A request that was sent again after its answer was lost finds what it wrote itself.
    if (written.kind === 'refused' && written.item?.['seal'] !== seal) {
      throw new Error('the head of a chain stands elsewhere')
    }
  }

  return {
    add: (head) => put(head, { ConditionExpression: 'attribute_not_exists(chain)' }),

    async open({ chain, at, kid, seal }) {
      const written = await updateIf(documents, {
        TableName: table,
        Key: { chain: NEWEST },
        UpdateExpression: 'SET opened = :opened, #at = :at, kid = :kid, seal = :seal',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':opened': chain, ':at': at.getTime(), ':kid': kid, ':seal': seal },
        ReturnValues: 'UPDATED_OLD',
      })
      const before = written.item?.['opened']
      // The same if the request was sent again after its answer was lost.
      return typeof before === 'string' && before !== chain ? before : undefined
    },

    advance: (head, before) =>
      put(head, { ConditionExpression: 'seq = :before', ExpressionAttributeValues: { ':before': before } }),
  }
}

function merged(values: object, condition: { readonly ExpressionAttributeValues?: object }) {
  return { ...condition, ExpressionAttributeValues: { ...values, ...condition.ExpressionAttributeValues } }
}
