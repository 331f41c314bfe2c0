import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { env } from 'node:process'
import { freshBundles } from '../localstack/bundles.ts'
import { LAMBDA_ENVIRONMENT } from '../test/support/lambda-environment.ts'
import { comparison } from './comparison.ts'
import { type Findings, together } from './findings.ts'
import { bundledPeers } from './peers.ts'
import { cases } from './warm/cases.ts'
import type { Cost, Round } from './warm/subject.ts'

const ROUNDS = 7
const CALLS = 2000

/** What compiles the code that the rounds measure. */
const WARM_UP = 4000

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
    [...files].map(async ([name, file]) => ({ name, child: await start(file, texts) })),
  )
  const pieces: Record<string, Findings> = {}
  for (const [index, { name }] of kinds.entries())
    pieces[name] = comparison({
      what: `/api/admin/secure, ${name}`,
      unit: 'µs of CPU',
      floor: 'floor',
      costs: await measure(subjects, index),
      atLeast: GOALS[name] ?? {},
    })
  for (const { child } of subjects) child.kill()
  rmSync(folder, { recursive: true })
  return together(pieces)
}

interface Subject {
  readonly name: string
  readonly child: ChildProcess
}

async function start(file: string, texts: string): Promise<ChildProcess> {
  const child = fork(`${import.meta.dirname}/warm/subject.ts`, [file, texts], {
    env: { ...env, ...LAMBDA_ENVIRONMENT },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  await once(child, 'message')
  return child
}

/** Microseconds of each subject, each round's; the rounds go there and back again, so that drift hits all alike. */
async function measure(subjects: readonly Subject[], index: number): Promise<ReadonlyMap<string, readonly Cost[]>> {
  const costs = new Map<string, Cost[]>(subjects.map(({ name }) => [name, []]))
  for (const { child } of subjects) await ask(child, { case: index, calls: WARM_UP })
  for (let round = 0; round < ROUNDS; round++) {
    const order = round % 2 === 0 ? subjects : subjects.toReversed()
    for (const { name, child } of order) costs.get(name)?.push(await ask(child, { case: index, calls: CALLS }))
  }
  return costs
}

async function ask(child: ChildProcess, round: Round): Promise<Cost> {
  const { promise, resolve, reject } = Promise.withResolvers<Cost>()
  const end = () => reject(new Error('a subject ended'))
  child.once('message', resolve).once('exit', end)
  child.send(round)
  return promise.finally(() => child.off('exit', end))
}
