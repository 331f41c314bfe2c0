import type { MessageRow, MessageStore } from '../../messages/message.ts'
import { accessFromEnvironment, awsClient, errorCodeIn } from '../aws/client.ts'
import { itemsOf } from './lists.ts'
import { type Documents, ttlAt } from './table.ts'
import { putRecorded } from './trail.ts'

const MINUTE = 60_000
const LIFETIME_MS = 60 * MINUTE

/** A repeat is written under another time, so a put may take less than readers look back. In milliseconds. */
const PATIENCE = 2000

/** The partition of the rows of a minute: a reader asks for no more than it lacks. */
const slotOf = (time: number) => Math.floor(time / MINUTE)

/** Sorts by time, and the rows that a writer has at one time by their numbers. */
const idOf = (time: number, origin = '', number = 0) => `${digits(time)}#${origin}#${digits(number)}`
const digits = (value: number) => String(value).padStart(15, '0')

function itemOf({ at, origin, number, after, content }: MessageRow) {
  const key = { slot: slotOf(at), id: idOf(at, origin, number) }
  return { ...key, at, origin, number, after, content, ttl: ttlAt(new Date(at + LIFETIME_MS)) }
}

/**
 * Puts rows by a signed request of our own, which costs less than half of the SDK's (decision 18).
 * @param patience for an answer, in milliseconds
 */
export function dynamoMessageWriter(table: string, patience = PATIENCE): Pick<MessageStore, 'put'> {
  const client = awsClient('dynamodb', '1.0', () => accessFromEnvironment('dynamodb', 'DYNAMODB'))
  return {
    async put(row) {
      const wire = Object.entries(itemOf(row)).map(([name, value]) => [
        name,
        typeof value === 'number' ? { N: String(value) } : { S: value },
      ])
      const put = { TableName: table, Item: Object.fromEntries(wire) }
      const answer = await client.ask('DynamoDB_20120810.PutItem', put, patience)
      if (answer.status !== 200) throw new Error(`DynamoDB answered ${answer.status} ${errorCodeIn(answer)}`)
    },
  }
}

/** Puts rows together with that of the action under way. */
export function dynamoMessageDesk(documents: Documents, table: string): Pick<MessageStore, 'put'> {
  return {
    put: async (row) => void (await putRecorded(documents, { TableName: table, Item: itemOf(row) })),
  }
}

export function dynamoMessageReader(documents: Documents, table: string): Pick<MessageStore, 'since'> {
  async function rowsOf(slot: number, from: number, own: string): Promise<readonly MessageRow[]> {
    const items = await itemsOf(documents, {
      TableName: table,
      ConsistentRead: true,
      KeyConditionExpression: 'slot = :slot AND id >= :from',
      // They would be most of what a busy instance reads, and all of it would be read for nothing.
      FilterExpression: 'origin <> :own',
      ExpressionAttributeValues: { ':slot': slot, ':from': idOf(from), ':own': own },
    })
    return items.map(toRow)
  }

  return {
    async since(from, upTo, own) {
      const slots: (readonly MessageRow[])[] = []
      // The newest minute first: a writer has stored what is before a row that is found here.
      for (let slot = slotOf(upTo); slot >= slotOf(from); slot--) slots.unshift(await rowsOf(slot, from, own))
      return slots.flat()
    },
  }
}

function toRow(item: Readonly<Record<string, unknown>>): MessageRow {
  return {
    at: Number(item['at']),
    origin: String(item['origin']),
    number: Number(item['number']),
    after: Number(item['after']),
    content: String(item['content']),
  }
}
