import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dynoxide } from '../../localstack/emulators/dynamodb.ts'
import { effort } from './effort.ts'
import { type Findings, together } from './findings.ts'
import { eventsTable } from './growth/events-table.ts'
import { pages } from './growth/pages.ts'
import { tokensSeen } from './growth/tokens-seen.ts'

const SIZES = effort([1000, 10_000, 1_000_000], [1000, 2000])

/** What a page and a known token cost when there is more of everything. */
export async function growth(): Promise<Findings> {
  const binary = dynoxide()
  const tokens = await tokensSeen()
  if (binary === undefined) {
    console.log('growth: without the lists of events, because dynoxide is not made for this machine\n')
    return together(tokens)
  }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  try {
    const files = new Map(SIZES.map((size) => [size, eventsTable(binary, folder, size)]))
    return together({ ...(await pages(binary, files)), ...tokens })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
