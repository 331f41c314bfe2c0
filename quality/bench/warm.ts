import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freshBundles } from '../../localstack/bundles.ts'
import { LAMBDA_ENVIRONMENT } from '../../test/support/lambda-environment.ts'
import { comparison } from './comparison.ts'
import { effort } from './effort.ts'
import { type Findings, together } from './findings.ts'
import { bundledPeers } from './peers.ts'
import { interleaved, startSubject } from './subjects.ts'
import { cases } from './warm/cases.ts'
import type { Round } from './warm/subject.ts'

const ROUNDS = effort(9, 1)

/** Of CPU, in milliseconds. */
const ROUND_MS = effort(150, 10)
const WARM_UP_MS = effort(1500, 10)

/** The least ratio to ours, by the case and the peer. */
const GOALS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '200, the token seen before': { 'middy-jose': 50, express: 80, hono: 100 },
  '200, every token new': { 'middy-jose': 1 },
}

/** `/api/admin/secure` in a process that has been answering for a while: ours and what else one would write. */
export async function warm(): Promise<Findings> {
  await freshBundles()
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  const texts = join(folder, 'cases.json')
  const kinds = cases()
  writeFileSync(texts, JSON.stringify(kinds))
  const files = new Map([['gatehouse', resolve('dist/api/admin-secure/index.mjs')], ...(await bundledPeers(folder))])
  const subjects = await Promise.all(
    [...files].map(([name, file]) => startSubject(name, 'warm/subject.ts', [file, texts], LAMBDA_ENVIRONMENT)),
  )
  const pieces: Record<string, Findings> = {}
  for (const [index, { name }] of kinds.entries()) {
    const round = (milliseconds: number): Round => ({ case: index, milliseconds })
    pieces[name] = comparison({
      what: `/api/admin/secure, ${name}`,
      unit: 'µs of CPU',
      floor: 'floor',
      costs: await interleaved(subjects, { rounds: ROUNDS, warmUp: round(WARM_UP_MS), round: () => round(ROUND_MS) }),
      atLeast: GOALS[name] ?? {},
    })
  }
  for (const { child } of subjects) child.kill()
  rmSync(folder, { recursive: true })
  return together(pieces)
}
