import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { SEEDS } from '../../test/inputs/signatures/seeds.ts'
import { hasValgrind, instructionsOf } from './cold/meter.ts'
import { effort } from './effort.ts'
import { bounded, type Findings, tableOf, verdictOf } from './findings.ts'
import type { Forgery } from './forged/subject.ts'

const MIB = 2 ** 20
const CALLS = effort(2, 1)

const KINDS = { numbers: '1,', objects: '{},', lists: '[' } as const

/** The schemes that look into bodies, and the largest body that they look into beside the largest that there is. */
const LOOKING: Readonly<Record<string, readonly number[]>> = {
  adyen: [4 * MIB, MIB / 4],
  mailgun: [4 * MIB, MIB / 4],
  linear: [4 * MIB],
  'twilio-form': [4 * MIB, MIB / 4],
  'twilio-json': [4 * MIB],
  plaid: [4 * MIB],
}

/** The scheme that signs no body. */
const TOKEN = 'gitlab-token'

/** In times of what the generic scheme takes. */
const MOST = 2

interface Case extends Omit<Forgery, 'calls'> {
  readonly kind: string
  readonly of: string
}

/** What a stranger's calls cost: those of every scheme, beside those of the generic one. */
export async function forged(): Promise<Findings | undefined> {
  if (!hasValgrind()) {
    console.log('forged: skipped, because there is no valgrind\n')
    return undefined
  }
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  try {
    return await measured(effort(casesOf(), casesOf().slice(0, 1)), folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function casesOf(): readonly Case[] {
  const seeds = new Map(SEEDS.map((seed) => [seed.kind, seed]))
  return [...seeds].flatMap(([kind, { call, secrets }]) => {
    const [name = kind] = /^(?:gitlab|twilio)/.exec(kind) ?? []
    const one = { name, kind, url: call.url, headers: call.headers }
    const withSecret = { ...one, secrets: usable(kind, secrets) }
    const sizes = kind === 'generic' ? [4 * MIB, MIB / 4] : (LOOKING[kind] ?? [4 * MIB])
    const pieces = kind === 'generic' || kind in LOOKING ? Object.entries(KINDS) : [['numbers', KINDS.numbers] as const]
    const all = sizes.flatMap((size) => pieces.map(([of, piece]) => ({ ...withSecret, size, of, piece })))
    const withoutSecret = { ...one, secrets: [], size: 4 * MIB, of: 'numbers, no secret', piece: KINDS.numbers }
    return kind === 'generic' || kind in LOOKING ? [...all, withoutSecret] : all
  })
}

/** One, for each makes a signature more to compare; the right one, for the signature is of another body. */
function usable(kind: string, secrets: Forgery['secrets']): Forgery['secrets'] {
  return kind === TOKEN ? [{ value: 'another token' }] : secrets.slice(0, 1)
}

async function measured(cases: readonly Case[], folder: string): Promise<Findings> {
  const take = await meterIn(folder)
  const [first] = cases
  const nothing = first ? await take({ ...first, calls: 0 }) : 0
  const costs = new Map<string, number>()
  const left = cases.values()
  const runner = async () => {
    for (const one of left) costs.set(keyOf(one), ((await take({ ...one, calls: CALLS })) - nothing) / CALLS)
  }
  await Promise.all([runner(), runner()])
  const costOf = (one: Pick<Case, 'kind' | 'size' | 'of'>) => costs.get(keyOf(one)) ?? Number.NaN
  const lines = cases.map((one) => {
    const cost = costOf(one)
    const [of = ''] = one.of.split(',')
    const ratio = cost / costOf({ ...one, kind: 'generic', of })
    const what = `a forged call of ${one.kind}, ${one.size / 1024} KiB of ${one.of}`
    const measured = `${ratio.toFixed(2)} ×`
    const outcome = { what, peer: 'of the generic scheme', wanted: `≤ ${MOST} ×`, measured }
    const goal = bounded(outcome, { value: ratio, most: MOST })
    const row = [one.kind, `${one.size / 1024}`, one.of, cost.toFixed(2), ratio.toFixed(2), verdictOf(goal)]
    return { row, goal }
  })
  const heads = ['scheme', 'KiB', 'body', `million instructions a call`, 'times generic', 'goal']
  return {
    table: tableOf(
      heads,
      lines.map(({ row }) => row),
    ),
    goals: lines.map(({ goal }) => goal),
  }
}

function keyOf({ kind, size, of }: Pick<Case, 'kind' | 'size' | 'of'>): string {
  return [kind, size, of].join('/')
}

/** Measures whole processes, without what Node takes to read TypeScript. */
async function meterIn(folder: string): Promise<(forgery: Forgery & Case) => Promise<number>> {
  const subject = join(folder, 'subject.mjs')
  const entryPoints = [`${import.meta.dirname}/forged/subject.ts`]
  await build({ entryPoints, outfile: subject, bundle: true, platform: 'node', format: 'esm' })
  return async (forgery) => {
    const file = join(folder, `${keyOf(forgery).replaceAll(/\W/g, '-')}-${forgery.calls}.json`)
    writeFileSync(file, JSON.stringify(forgery))
    return instructionsOf([subject, file], {})
  }
}
