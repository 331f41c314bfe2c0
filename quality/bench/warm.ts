import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freshBundles } from '../../localstack/bundles.ts'
import { LAMBDA_ENVIRONMENT } from '../../test/support/lambda-environment.ts'
import { hasValgrind } from './cold/meter.ts'
import { type Comparison, comparison } from './comparison.ts'
import { effort, IS_SHORT } from './effort.ts'
import { type Findings, together } from './findings.ts'
import { bundledPeers } from './peers.ts'
import { interleaved, startSubject } from './subjects.ts'
import { cases } from './warm/cases.ts'
import { instructionsPerCall } from './warm/instructions.ts'
import type { Round } from './warm/subject.ts'

const ROUNDS = effort(9, 1)

/** Of CPU, in milliseconds. */
const ROUND_MS = effort(150, 10)
const WARM_UP_MS = effort(1500, 10)

/**
 * What peers take at least, as multiples of ours, by the case; of instructions, since a thread costs more or less by the day.
 * Of the token that was seen before all are promised, those with a cache of their own the least.
 */
const GOALS: Readonly<Record<string, (peers: readonly string[]) => Pick<Comparison, 'atLeast' | 'why'>>> = {
  '200, the token seen before': (peers) => ({
    atLeast: Object.fromEntries(peers.map((peer) => [peer, peer.endsWith('-cache') ? 0.91 : 1])),
    why:
      'The token is looked up in a map on both sides. Ours also checks method, path and headers, gives each line of the log ' +
      'the ids of its call, and sets more headers.',
  }),
  '200, every token new': () => ({
    atLeast: { 'middy-jose-imported': 1 },
    why: 'Both call jose with a key that was imported once. Ours also checks the form of the token and all of its claims.',
  }),
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
  if (hasValgrind() && !IS_SHORT) {
    for (const [index, { name }] of kinds.entries()) {
      const goals = GOALS[name]
      if (goals === undefined) continue
      pieces[`${name}, instructions`] = comparison({
        what: `/api/admin/secure, ${name}, instructions`,
        unit: 'thousand instructions',
        floor: 'floor',
        costs: await instructionsPerCall(files, texts, index),
        ...goals([...files.keys()].slice(1)),
      })
    }
  }
  for (const [index, { name }] of kinds.entries()) {
    const round = (milliseconds: number): Round => ({ case: index, milliseconds })
    pieces[name] = comparison({
      what: `/api/admin/secure, ${name}`,
      unit: 'µs of CPU',
      floor: 'floor',
      costs: await interleaved(subjects, { rounds: ROUNDS, warmUp: round(WARM_UP_MS), round: () => round(ROUND_MS) }),
    })
  }
  for (const { child } of subjects) child.kill()
  rmSync(folder, { recursive: true })
  return together(pieces)
}
