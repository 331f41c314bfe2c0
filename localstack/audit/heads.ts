import { GetCommand, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { type Documents, request } from '../../lib/adapters/dynamodb/client.ts'
import type { Item } from '../../lib/adapters/dynamodb/conditional.ts'
import { NEWEST } from '../../lib/adapters/dynamodb/trail-heads.ts'
import type { ChainHead, NewestChain } from '../../lib/trail/head.ts'
import type { KnownHeads } from '../../lib/trail/verify.ts'

/** The rows of all chains, which no function may read. @throws ServiceError `UNAVAILABLE` */
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

/** A head with a missing attribute, or one of another type, counts as a head that nobody sealed. */
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
