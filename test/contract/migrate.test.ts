import { DeleteCommand, GetCommand, PutCommand, ScanCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Documents } from '../../lib/adapters/dynamodb/client.ts'
import type { Item } from '../../lib/adapters/dynamodb/conditional.ts'
import { dynamoEventStore } from '../../lib/adapters/dynamodb/event-store.ts'
import type { Migration } from '../../lib/adapters/dynamodb/migrations.ts'
import { type TableWalk, type Walked, walk } from '../../localstack/migrate/walk.ts'
import { type EmulatedStore, ENGINE, emulatedStore, TABLES } from '../support/emulated-store.ts'
import { failedEvent } from '../support/fakes/webhooks.ts'

const EVENT = {
  table: 'events',
  key: ['source', 'eventId'],
  isFor: ({ history }: Item) => history !== undefined,
} as const

/** Planted: version 2 has its headers in one text, version 3 the number of its history's entries besides. */
const TO_2: Migration = {
  ...EVENT,
  from: 1,
  reads: ['headers'],
  change: ({ headers }) => ({ headers: undefined, headerText: JSON.stringify(headers) }),
}
const TO_3: Migration = {
  ...EVENT,
  from: 2,
  reads: ['history'],
  change: ({ history }) => ({ entries: (history as readonly unknown[]).length }),
}

let store: EmulatedStore

beforeAll(async () => {
  store = await emulatedStore(ENGINE)
})
afterAll(() => store.stop())

beforeEach(async () => {
  for (const { source, eventId } of await rows()) {
    await store.documents.send(new DeleteCommand({ TableName: TABLES.events, Key: { source, eventId } }))
  }
})

/** Puts events of version 1, as the product does. */
async function putEvents(count: number): Promise<void> {
  const { insert } = dynamoEventStore(store.documents, TABLES)
  for (let number = 0; number < count; number++) {
    const event = failedEvent({ eventId: `event-${number}`, headers: { 'x-number': String(number), 'x-empty': '' } })
    expect(await insert(event, {})).toEqual({ kind: 'inserted' })
  }
}

async function rows(): Promise<readonly Item[]> {
  const { Items: items = [] } = await store.documents.send(new ScanCommand({ TableName: TABLES.events }))
  return items
}

async function row(eventId: string): Promise<Item | undefined> {
  const Key = { source: 'test', eventId }
  return (await store.documents.send(new GetCommand({ TableName: TABLES.events, Key }))).Item
}

/** Changes the row of an event behind the back of whoever walks. */
async function change(eventId: string, UpdateExpression: string, values: object): Promise<void> {
  const Key = { source: 'test', eventId }
  const ExpressionAttributeValues = { ...values }
  await store.documents.send(
    new UpdateCommand({ TableName: TABLES.events, Key, UpdateExpression, ExpressionAttributeValues }),
  )
}

/** Requests before each of which something else happens; the name is that of the command. */
function watched(happens: (request: string) => Promise<void>): Documents {
  const send = async (command: object) => {
    await happens(command.constructor.name)
    return store.documents.send(command as never)
  }
  return { send } as Documents
}

async function run(migrations: readonly Migration[], changes: Partial<TableWalk> = {}): Promise<Walked> {
  const { documents } = store
  const free = { isDryRun: false, after: undefined, pace: async () => {}, pause: async () => {} }
  let walked: Walked | undefined
  for await (walked of walk({ documents, table: TABLES.events, migrations, ...free, ...changes }));
  if (walked === undefined) throw new Error('a walk has at least one page')
  return { ...walked, versions: new Map(walked.versions) }
}

const counts = (...versions: readonly (readonly [number, number])[]) => new Map(versions)

describe('a table is migrated to the newest version', () => {
  it('with version 1 only, nothing is written', async () => {
    await putEvents(3)
    const writes: string[] = []
    const documents = watched(async (request) => void writes.push(request))
    expect(await run([], { documents })).toMatchObject({ versions: counts([1, 3]), rewritten: 0, left: 0 })
    expect(writes).toEqual(['ScanCommand'])
  })

  it('each row is written once, with all of its fields; a second run finds nothing', async () => {
    await putEvents(40)
    const before = await row('event-7')
    expect(await run([TO_2])).toMatchObject({ versions: counts([1, 40]), rewritten: 40, left: 0, cursor: undefined })
    const { headers, ...same } = before ?? {}
    const { headerText, ...rewritten } = (await row('event-7')) ?? {}
    expect(rewritten).toEqual({ ...same, v: 2 })
    expect(JSON.parse(String(headerText))).toEqual(headers)
    expect(await run([TO_2])).toMatchObject({ versions: counts([2, 40]), rewritten: 0, left: 0 })
  })

  it('over several versions, from the version of each row', async () => {
    await putEvents(2)
    await change('event-0', 'SET v = :v', { ':v': 2 })
    expect(await run([TO_2, TO_3])).toMatchObject({ versions: counts([1, 1], [2, 1]), rewritten: 2 })
    expect(await row('event-0')).toMatchObject({ v: 3, entries: 1, headers: { 'x-number': '0' } })
    expect(await row('event-1')).toMatchObject({ v: 3, entries: 1, headerText: expect.any(String) })
  })

  it('a dry run only counts', async () => {
    await putEvents(2)
    expect(await run([TO_2], { isDryRun: true })).toMatchObject({ versions: counts([1, 2]), rewritten: 0, left: 2 })
    expect(await row('event-0')).not.toHaveProperty('v')
  })

  it('rows of another kind, and of unknown versions, stay unchanged', async () => {
    const others = [
      { source: 'test#body', eventId: 'a', at: 1 },
      { source: 'test', eventId: 'b', history: [], v: 7 },
    ]
    for (const Item of others) await store.documents.send(new PutCommand({ TableName: TABLES.events, Item }))
    expect(await run([TO_2])).toMatchObject({ versions: counts([1, 1], [7, 1]), rewritten: 0, left: 0 })
    expect(await rows()).toEqual(expect.arrayContaining(others))
  })

  it('continues after an interrupted run', async () => {
    await putEvents(5)
    const { Items: [first] = [], LastEvaluatedKey: cursor } = await store.documents.send(
      new ScanCommand({ TableName: TABLES.events, Limit: 1 }),
    )
    expect(await run([TO_2], { after: cursor })).toMatchObject({ versions: counts([1, 4]), rewritten: 4 })
    expect(await row(String(first?.['eventId']))).not.toHaveProperty('v')
  })

  it('waits for capacity after every few rows', async () => {
    await putEvents(40)
    let waited = 0
    await run([TO_2], {
      pace: async () => {
        waited += 1
      },
    })
    expect(waited).toBe(3)
  })
})

describe('a parallel change', () => {
  /** Does something before the first write of a walk. */
  function beforeTheFirst(act: () => Promise<void>): Documents {
    let isFirst = true
    return watched(async (request) => {
      if (request !== 'UpdateCommand' || !isFirst) return
      isFirst = false
      await act()
    })
  }

  it('of a field that the migration reads is not lost: the row is read again', async () => {
    await putEvents(1)
    const documents = beforeTheFirst(() => change('event-0', 'SET headers = :none', { ':none': {} }))
    expect(await run([TO_2], { documents })).toMatchObject({ rewritten: 1, left: 0 })
    expect(await row('event-0')).toMatchObject({ v: 2, headerText: '{}' })
  })

  it('of a field that a migration reads but does not change counts as well', async () => {
    await putEvents(1)
    await change('event-0', 'SET v = :v', { ':v': 2 })
    const more = { ':more': [{ at: 1 }] }
    const documents = beforeTheFirst(() => change('event-0', 'SET history = list_append(history, :more)', more))
    await run([TO_3], { documents })
    expect(await row('event-0')).toMatchObject({ v: 3, entries: 2 })
  })

  it('of another field stays, without a second read', async () => {
    await putEvents(1)
    let writes = 0
    const changed = beforeTheFirst(() => change('event-0', 'SET attempts = :n', { ':n': 3 }))
    const documents = {
      send: (command: object) => {
        writes += 1
        return changed.send(command as never)
      },
    } as Documents
    await run([TO_2], { documents })
    expect(await row('event-0')).toMatchObject({ v: 2, attempts: 3, headerText: expect.any(String) })
    expect(writes).toBe(2)
  })

  it('by another migration leaves the row as it is', async () => {
    await putEvents(1)
    const values = { ':v': 2, ':text': 'theirs' }
    const documents = beforeTheFirst(() => change('event-0', 'SET v = :v, headerText = :text REMOVE headers', values))
    expect(await run([TO_2], { documents })).toMatchObject({ left: 0 })
    expect(await row('event-0')).toMatchObject({ v: 2, headerText: 'theirs' })
  })

  it('that deletes a row is not undone', async () => {
    await putEvents(1)
    const Key = { source: 'test', eventId: 'event-0' }
    const gone = new DeleteCommand({ TableName: TABLES.events, Key })
    const documents = beforeTheFirst(async () => void (await store.documents.send(gone)))
    expect(await run([TO_2], { documents })).toMatchObject({ rewritten: 0, left: 0 })
    expect(await rows()).toEqual([])
  })

  it('that is repeated leaves the row to the next run', async () => {
    await putEvents(1)
    let count = 0
    const documents = watched(async (request) => {
      if (request === 'UpdateCommand') await change('event-0', 'SET headers = :h', { ':h': { n: `${++count}` } })
    })
    expect(await run([TO_2], { documents })).toMatchObject({ rewritten: 0, left: 1 })
    expect(await run([TO_2])).toMatchObject({ rewritten: 1, left: 0 })
  })
})
