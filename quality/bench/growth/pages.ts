import process from 'node:process'
import { dynamoDueEvents } from '../../../lib/adapters/dynamodb/due-events.ts'
import { dynamoEventList } from '../../../lib/adapters/dynamodb/event-list.ts'
import { firstIdAt } from '../../../lib/runtime/ids.ts'
import type { EventList } from '../../../lib/webhooks/operators/list.ts'
import type { DueEvents } from '../../../lib/webhooks/retry/scan.ts'
import { effort } from '../effort.ts'
import type { Findings } from '../findings.ts'
import { type EventsEngine, startEngine } from './engine.ts'
import { NEWEST } from './events-table.ts'
import { slopes } from './slope.ts'

const ROUNDS = effort(15, 1)
const WARM_UP = effort(200, 1)
const PAGES = effort(20, 2)
const LIMIT = 50

/** How much dearer a page of the largest table may be: what is left of the noise. */
const MOST = 1.25

interface Table {
  readonly engine: EventsEngine
  readonly list: EventList
  readonly due: DueEvents
  /** An event with as many older ones as newer ones. */
  readonly middle: bigint
}

type Read = (table: Table) => Promise<unknown>

const READS: Readonly<Record<string, Read>> = {
  'the first page of all events': ({ list }) => list.find({}, undefined, LIMIT),
  'a page in the middle': ({ list, middle }) => list.find({}, { id: middle, source: '', eventId: '' }, LIMIT),
  'the first page of the sweep': ({ due }) => due.dueBy(new Date(NEWEST))[Symbol.asyncIterator]().next(),
}

/** What a page costs in tables of several sizes, which are read in turn. */
export async function pages(
  binary: string,
  files: ReadonlyMap<number, string>,
): Promise<Readonly<Record<string, Findings>>> {
  const tables = new Map(
    await Promise.all([...files].map(async ([size, file]) => [size, await openTable(binary, size, file)] as const)),
  )
  const found: Record<string, Findings> = {}
  for (const [what, read] of Object.entries(READS)) found[what] = await slopeOf(tables, read)
  await Promise.all([...tables.values()].map(({ engine }) => engine.stop()))
  return found
}

async function openTable(binary: string, size: number, file: string): Promise<Table> {
  const engine = await startEngine(binary, file)
  return {
    engine,
    list: dynamoEventList(engine.documents, 'events'),
    due: dynamoDueEvents(engine.documents, 'events'),
    middle: firstIdAt(NEWEST - (size / 2) * 1000),
  }
}

interface Cost {
  readonly requests: number
  readonly items: number
  readonly units: number
  readonly ours: number
  readonly emulator: number
}

async function slopeOf(tables: ReadonlyMap<number, Table>, read: Read): Promise<Findings> {
  const costs = new Map<number, Cost[]>([...tables.keys()].map((size) => [size, []]))
  for (const table of tables.values()) await costOf(table, read, WARM_UP)
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? [...tables] : [...tables].toReversed()
    for (const [size, table] of order) costs.get(size)?.push(await costOf(table, read, PAGES))
  }
  const values = (figure: keyof Cost) =>
    new Map([...costs].map(([size, all]) => [size, all.map((cost) => cost[figure])]))
  return slopes('events in the table', [
    { what: 'requests', values: values('requests'), most: 1 },
    { what: 'items read', values: values('items'), most: 1 },
    { what: 'read units', values: values('units'), most: 1 },
    { what: 'µs of our CPU', values: values('ours'), most: MOST },
    { what: 'µs of the emulator’s CPU', values: values('emulator'), most: MOST },
  ])
}

async function costOf({ engine, ...table }: Table, read: Read, count: number): Promise<Cost> {
  engine.take()
  const emulatorBefore = engine.cpu() ?? 0
  const before = process.cpuUsage()
  for (let page = 0; page < count; page++) await read({ engine, ...table })
  const { user, system } = process.cpuUsage(before)
  const { requests, items, units } = engine.take()
  return {
    requests: requests / count,
    items: items / count,
    units: units / count,
    ours: (user + system) / count,
    emulator: ((engine.cpu() ?? Number.NaN) - emulatorBefore) / count,
  }
}
