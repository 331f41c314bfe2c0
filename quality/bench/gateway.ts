import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Findings, together } from './findings.ts'
import { requests } from './gateway/requests.ts'
import { starts } from './gateway/start.ts'

/** The local run: how soon it answers, and what its gateway takes for a call; nothing without `/proc`, and a line that says so. */
export async function gateway(): Promise<Findings | undefined> {
  if (!existsSync('/proc/self/stat')) {
    console.log('gateway: skipped, because only Linux tells what other processes take\n')
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  try {
    return together({ Start: await starts(folder), ...(await requests(folder)) })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
