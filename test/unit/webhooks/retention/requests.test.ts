import { expect, it } from 'vitest'
import { dynamoAgedEvents } from '../../../../lib/adapters/dynamodb/aged-events.ts'
import type { Documents } from '../../../../lib/adapters/dynamodb/client.ts'
import { dynamoEventDeliveries } from '../../../../lib/adapters/dynamodb/event-deliveries.ts'
import { LIST_SHARDS } from '../../../../lib/adapters/dynamodb/event-item.ts'
import { dynamoPayloads } from '../../../../lib/adapters/dynamodb/payload-store.ts'
import { deleteExpired } from '../../../../lib/webhooks/retention/job.ts'
import { retentionOf } from '../../../../lib/webhooks/retention/retention.ts'
import { recordingLog } from '../../../support/fakes/log.ts'

const NOW = new Date('2027-01-01T00:00:00Z')
const ROWS = 10_000
const PAGE = 500

const PER_SHARD = ROWS / LIST_SHARDS.length

type Input = Record<string, unknown>

/** What a table answers whose index holds so many events, all of them settled and without deliveries. */
const ANSWERS = new Map<string, (input: Input) => object>([
  ['UpdateCommand', () => ({ Attributes: { ...KEY, id: 1, payloadSha256: '', history: [], payloadDeletedAt: 1 } })],
  ['QueryCommand', (input) => (input['IndexName'] === 'byTime' ? pageFrom(input) : { Items: [] })],
])

const KEY = { source: 's', eventId: 'e' }

function pageFrom({ ExclusiveStartKey: start }: Input) {
  const from = Number((start as { readonly id?: number } | undefined)?.id ?? 0)
  const end = from + PAGE
  const Items = Array.from({ length: PAGE }, (_, n) => ({
    ...KEY,
    eventId: `${from + n}`,
    id: from + n + 1,
    eventType: 't',
  }))
  return { Items, ...(end < PER_SHARD && { LastEvaluatedKey: { id: end } }) }
}

it('10,000 payloads cost two requests each, and few more, at 500 a second at most', async () => {
  const sent = new Map<string, number>()
  const documents = {
    async send(command: { readonly input: Record<string, unknown> }) {
      const name = command.constructor.name
      sent.set(name, (sent.get(name) ?? 0) + 1)
      return ANSWERS.get(name)?.(command.input) ?? {}
    },
  } as unknown as Documents
  let waited = 0
  const result = await deleteExpired(
    {
      retention: retentionOf({}),
      aged: dynamoAgedEvents(documents, 'events'),
      payloads: dynamoPayloads(documents, 'events'),
      deliveries: dynamoEventDeliveries(documents, 'deliveries'),
      clock: { now: () => NOW },
      metrics: { count: () => {}, measure: () => {} },
      log: recordingLog(),
      wait: async (milliseconds) => {
        waited += milliseconds
      },
    },
    new Date(NOW.getTime() + 1000),
  )
  expect(result).toEqual({ deleted: ROWS, held: 0, isDone: true })
  const pages = ROWS / PAGE
  expect(Object.fromEntries(sent)).toEqual({
    UpdateCommand: ROWS + pages,
    QueryCommand: ROWS + pages + 1,
    GetCommand: LIST_SHARDS.length,
  })
  expect(waited).toBe(ROWS * 2)
})
