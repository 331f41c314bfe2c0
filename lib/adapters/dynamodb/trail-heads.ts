import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import type { ChainHead, NewestChain } from '../../trail/head.ts'
import type { TrailHeads } from '../../trail/trail.ts'
import type { KnownHeads } from '../../trail/verify.ts'
import { type Documents, request } from './client.ts'
import { type Item, updateIf } from './conditional.ts'

/** The row that names the newest chain; no chain is called that. */
const NEWEST = '#newest'

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

/** The same for those who verify. @throws ServiceError `UNAVAILABLE` */
export async function readTrailHeads(documents: Documents, table: string): Promise<KnownHeads> {
  async function row(chain: string): Promise<Item | undefined> {
    const get = new GetCommand({ TableName: table, Key: { chain }, ConsistentRead: true })
    return (await request(() => documents.send(get))).Item
  }

  async function find(chain: string): Promise<ChainHead | undefined> {
    const item = await row(chain)
    return item && headOf(item)
  }

  // Before the heads: the head of the newest chain is there before it is named.
  const newest = await row(NEWEST)
  return { newest: newest && newestOf(newest), heads: (await everyRow(documents, table)).map(headOf), find }
}

async function everyRow(documents: Documents, table: string): Promise<readonly Item[]> {
  const rows: Item[] = []
  let from: Record<string, unknown> | undefined
  do {
    const scan = new ScanCommand({ TableName: table, ConsistentRead: true, ExclusiveStartKey: from })
    const { Items: items = [], LastEvaluatedKey: last } = await request(() => documents.send(scan))
    rows.push(...items.filter((item) => item['chain'] !== NEWEST))
    from = last
  } while (from !== undefined)
  return rows
}

/** What is missing or of another type makes a head that nobody sealed. */
function headOf({ chain, seq, mac, at, openedAt, kid, seal }: Item): ChainHead {
  return {
    chain: String(chain),
    seq: Number(seq),
    mac: String(mac),
    at: new Date(Number(at)),
    openedAt: new Date(Number(openedAt)),
    kid: String(kid),
    seal: String(seal),
  }
}

function newestOf({ opened, at, kid, seal }: Item): NewestChain {
  return { chain: String(opened), at: new Date(Number(at)), kid: String(kid), seal: String(seal) }
}

function merged(values: object, condition: { readonly ExpressionAttributeValues?: object }) {
  return { ...condition, ExpressionAttributeValues: { ...values, ...condition.ExpressionAttributeValues } }
}
