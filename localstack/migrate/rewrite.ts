import type { UpdateCommandInput } from '@aws-sdk/lib-dynamodb'
import type { Documents } from '../../lib/adapters/dynamodb/client.ts'
import { type Item, type Pause, updateIf } from '../../lib/adapters/dynamodb/conditional.ts'
import { type Migration, stepOf } from '../../lib/adapters/dynamodb/migrations.ts'

interface Place {
  readonly documents: Documents
  readonly table: string
  readonly migrations: readonly Migration[]
  readonly pause: Pause
}

/** Tries for one row; each further one means that another writer changed it in between. */
const ROUNDS = 6

/**
 * Brings a row to the newest version, one conditional write for each step. If another writer changed the row meanwhile,
 * the next step starts from the changed row.
 * @throws ServiceError `UNAVAILABLE`
 */
export async function rewrite({ documents, table, migrations, pause }: Place, row: Item) {
  let now: Item | undefined = row
  for (let lost = 0; now !== undefined && lost < ROUNDS; ) {
    const step = stepOf(migrations, now)
    if (step === undefined) return 'rewritten'
    const result = await updateIf(documents, updateOf(table, step, now))
    if (result.kind === 'refused') await pause(lost++)
    now = result.item
  }
  return now === undefined ? 'gone' : 'left'
}

/** The write of one step; its condition is that the row has not changed since it was read. */
function updateOf(table: string, { key, from, reads, change }: Migration, row: Item): UpdateCommandInput {
  const changed: Item = { ...change(pick(row, reads)), v: from + 1 }
  const [set, removed] = [named(changed, true), named(changed, false)]
  const shown: Item = { v: row['v'], ...pick(row, Object.keys(changed)), ...pick(row, reads) }
  const known = named(shown, true)
  const conditions = Object.keys(shown).map((name) =>
    shown[name] === undefined ? `attribute_not_exists(#at_${name})` : `#at_${name} = :was_${name}`,
  )
  return {
    TableName: table,
    Key: pick(row, key),
    UpdateExpression: [
      `SET ${set.map((name) => `#at_${name} = :${name}`).join(', ')}`,
      ...(removed.length > 0 ? [`REMOVE ${removed.map((name) => `#at_${name}`).join(', ')}`] : []),
    ].join(' '),
    ConditionExpression: ['attribute_exists(#key)', ...conditions].join(' AND '),
    ExpressionAttributeNames: {
      '#key': key[0] ?? '',
      ...Object.fromEntries(Object.keys(shown).map((name) => [`#at_${name}`, name])),
    },
    ExpressionAttributeValues: {
      ...Object.fromEntries(set.map((name) => [`:${name}`, changed[name]])),
      ...Object.fromEntries(known.map((name) => [`:was_${name}`, shown[name]])),
    },
  }
}

/** The names that have values, or those that have none. */
function named(item: Item, isThere: boolean): readonly string[] {
  return Object.keys(item).filter((name) => (item[name] !== undefined) === isThere)
}

function pick(item: Item, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, item[name]]))
}
