import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const ITEMS = 'lib/adapters/dynamodb/event-item.ts'

/** Version 2 has its headers under a shorter name. This code reads both versions; a setting says which one it writes. */
const READS_BOTH = `
import * as first from './event-item-1.ts'
export * from './event-item-1.ts'

export function toItem(event, body) {
  const { headers, ...same } = first.toItem(event, body)
  return process.env['PLANTED_WRITES'] === '2' ? { ...same, v: 2, h: headers } : { ...same, headers }
}

export function headOf({ v, h, ...same }) {
  return first.headOf(h === undefined ? same : { ...same, headers: h })
}
`

const MIGRATION = `[{
  table: 'events',
  key: ['source', 'eventId'],
  from: 1,
  isFor: ({ listShard }) => listShard !== undefined,
  reads: ['headers'],
  change: ({ headers }) => ({ headers: undefined, h: headers }),
}]`

/** Changes a copy of the project into its next release, which knows a version 2 of the event item. */
export function plantVersion2(copy: string): void {
  renameSync(join(copy, ITEMS), join(copy, ITEMS.replace('.ts', '-1.ts')))
  writeFileSync(join(copy, ITEMS), READS_BOTH)
  change(
    copy,
    'lib/adapters/dynamodb/migrations.ts',
    'readonly Migration[] = []',
    `readonly Migration[] = ${MIGRATION}`,
  )
  // Who deletes a payload deletes its headers in either form, as nobody knows the version of a row that is only updated.
  change(
    copy,
    'lib/adapters/dynamodb/payload-store.ts',
    "['payload', 'payloadCoding']",
    "['payload', 'payloadCoding', 'h']",
  )
}

function change(copy: string, file: string, text: string, replacement: string): void {
  const before = readFileSync(join(copy, file), 'utf8')
  const after = before.replace(text, () => replacement)
  if (after === before) throw new Error(`${file} does not have: ${text}`)
  writeFileSync(join(copy, file), after)
}
