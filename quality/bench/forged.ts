import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { SEEDS } from '../../test/inputs/signatures/seeds.ts'
import { type Findings, judged } from './findings.ts'
import type { Forgery } from './forged-subject.ts'
import { hasValgrind, instructionsOf, ofEach } from './meter.ts'

const MIB = 2 ** 20
const CALLS = 2

const KINDS = { numbers: '1,', objects: '{},', lists: '[' } as const

/** The schemes that look into bodies, and the largest body that they look into beside the largest that there is. */
const LOOKING: Readonly<Record<string, readonly number[]>> = {
  generic: [4 * MIB, MIB / 4],
  adyen: [4 * MIB, MIB / 4],
  mailgun: [4 * MIB, MIB / 4],
  linear: [4 * MIB],
  'twilio-form': [4 * MIB, MIB / 4],
  'twilio-json': [4 * MIB],
  plaid: [4 * MIB],
}

/** In times of what the generic scheme takes, which only hashes the body. */
const MOST = 2

interface Case extends Omit<Forgery, 'calls'> {
  readonly kind: string
  readonly of: keyof typeof KINDS
}

/** What a stranger's calls cost: those of every scheme, beside those of the generic one; nothing without valgrind. */
export async function forged(): Promise<Findings | undefined> {
  if (!hasValgrind()) return undefined
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  try {
    const subject = join(folder, 'subject.mjs')
    const entryPoints = [`${import.meta.dirname}/forged-subject.ts`]
    await build({ entryPoints, outfile: subject, bundle: true, platform: 'node', format: 'esm' })
    const take = (forgery: Forgery, name: string) => {
      const file = join(folder, `${name.replaceAll('/', '-')}.json`)
      writeFileSync(file, JSON.stringify(forgery))
      return instructionsOf([subject, file], {})
    }
    const cases = casesOf()
    const nothing = await take({ ...(cases[0] as Case), calls: 0 }, 'nothing')
    const costs = new Map<string, number>()
    await ofEach(cases, async (one) => {
      costs.set(nameOf(one), ((await take({ ...one, calls: CALLS }, nameOf(one))) - nothing) / CALLS)
    })
    const costOf = (one: Pick<Case, 'kind' | 'size' | 'of'>) => costs.get(nameOf(one)) ?? Number.NaN
    const rows = cases.map((one) => {
      const what = `a forged call of ${one.kind}, ${one.size / 1024} KiB of ${one.of}`
      return { what, unit: '× generic', value: costOf(one) / costOf({ ...one, kind: 'generic' }), goal: MOST }
    })
    return judged(rows)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function casesOf(): readonly Case[] {
  const seeds = new Map(SEEDS.map((seed) => [seed.kind, seed]))
  return [...seeds].flatMap(([kind, { call, secrets }]) => {
    const [name = kind] = /^(?:gitlab|twilio)/.exec(kind) ?? []
    // One, for each makes a signature more to compare; the right one, but of the scheme that signs no body.
    const one = kind === 'gitlab-token' ? [{ value: 'another token' }] : secrets.slice(0, 1)
    const given = { name, kind, url: call.url, headers: call.headers, secrets: one }
    const pieces = Object.entries(KINDS).slice(0, kind in LOOKING ? 3 : 1) as [Case['of'], string][]
    return (LOOKING[kind] ?? [4 * MIB]).flatMap((size) => pieces.map(([of, piece]) => ({ ...given, size, of, piece })))
  })
}

function nameOf({ kind, size, of }: Pick<Case, 'kind' | 'size' | 'of'>): string {
  return [kind, size, of].join('/')
}
