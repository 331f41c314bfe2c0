import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { toItem } from '../../../lib/adapters/dynamodb/event-item.ts'
import { firstIdAt } from '../../../lib/runtime/ids.ts'
import type { WebhookEvent } from '../../../lib/webhooks/event.ts'
import { deployedKeys, exportLine } from './table-export.ts'

/** When the newest event came; each older one came a second before the next. */
export const NEWEST = Date.parse('2026-01-02T03:04:05Z')

/** Bodies repeat, and with them the keys of the indexes: half a table looks like any other half. */
const PERIOD = 500

const CHUNK = 10_000

/**
 * A database of the emulator with so many events, every other of them due: imported as DynamoDB exports a table, because
 * nothing else fills a table as fast.
 * @param count a multiple of 1,000
 * @returns the file
 */
export function eventsTable(binary: string, folder: string, count: number): string {
  const source = join(folder, `export-${count}`)
  const data = join(source, 'events', 'data')
  mkdirSync(data, { recursive: true })
  for (let index = 0; index < count; index += CHUNK) {
    const size = Math.min(CHUNK, count - index)
    const events = Array.from({ length: size }, (_, offset) => eventAt(index + offset))
    const lines = events.map((event) => exportLine(toItem(event, { payload: event.payload })))
    appendFileSync(join(data, '1.json'), lines.join(''))
  }
  const schema = join(source, 'schema.json')
  writeFileSync(
    schema,
    JSON.stringify({ Table: { ...deployedKeys('EventsTable'), TableName: 'events', TableStatus: 'ACTIVE' } }),
  )
  const file = join(folder, `${count}.sqlite`)
  execFileSync(binary, ['import', '--source', source, '--schema', schema, '--output', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  rmSync(source, { recursive: true })
  return file
}

/** @param index counted from the newest */
function eventAt(index: number): WebhookEvent {
  const at = new Date(NEWEST - index * 1000)
  const payload = Buffer.from(JSON.stringify({ amount: 1000 + (index % PERIOD) }))
  const isDue = index % 2 === 0
  return {
    id: firstIdAt(at.getTime()),
    source: 'shop',
    eventId: `event-${String(index).padStart(7, '0')}`,
    eventType: 'PAYMENT',
    status: isDue ? 'FAILED' : 'PROCESSED',
    receivedAt: at,
    processedAt: isDue ? undefined : at,
    nextRetryAt: isDue ? at : undefined,
    attempts: 0,
    dead: false,
    payload,
    payloadSha256: createHash('sha256').update(payload).digest('hex'),
    proof: { level: 'full', key: 'shop#1', signedAt: at },
    headers: { 'content-type': 'application/json' },
    history: [{ at, status: isDue ? 'FAILED' : 'PROCESSED', by: 'intake' }],
  }
}
