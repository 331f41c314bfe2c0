import { globSync, readFileSync } from 'node:fs'
import { testTitles } from './test-titles.ts'

const FILE = 'docs/threats.md'

/** A row of the catalogue: its id, what is tried, what is to come of it, and where that is proven. */
const ROW = /^\| ([A-Z]\d\d) \| (.+) \| (.+) \| (.*) \|$/gm

/** The rows that the title of a test stands for. */
const NAMED = /^((?:[A-Z]\d\d, )*[A-Z]\d\d) /

/** What a file with such a title holds at least; most hold none, and parsing takes its time. */
const MENTIONED = /['"`][A-Z]\d\d[ ,]/

/** The ids of the rows, in their order. */
export function threatIds(): readonly string[] {
  return [...readFileSync(FILE, 'utf8').matchAll(ROW)].map(([, id = '']) => id)
}

/** By the id that the titles of its tests begin with, the files that prove a row. */
export function provenThreats(): ReadonlyMap<string, readonly string[]> {
  const named = globSync('test/**/*.test.{ts,tsx}')
    .sort()
    .flatMap((file) => [...new Set(namedIn(file))].map((id) => ({ id, file })))
  return new Map(
    [...Map.groupBy(named, ({ id }) => id)].map(([id, proofs]) => [id, proofs.map(({ file }) => file)] as const),
  )
}

function namedIn(file: string): readonly string[] {
  const code = readFileSync(file, 'utf8')
  if (!MENTIONED.test(code)) return []
  return testTitles(code, file.endsWith('.tsx') ? 'tsx' : 'ts').flatMap(
    (title) => NAMED.exec(title)?.[1]?.split(', ') ?? [],
  )
}

/** The catalogue with its last column made anew. */
export function threats(): string {
  const proven = provenThreats()
  const proofsOf = (id: string) => (proven.get(id) ?? []).map(link).join(', ')
  return readFileSync(FILE, 'utf8').replaceAll(
    ROW,
    (_, id, attack, answer) => `| ${id} | ${attack} | ${answer} | ${proofsOf(id)} |`,
  )
}

function link(file: string): string {
  return `[${file.replace(/^test\/|\.test\.tsx?$/g, '')}](../${file})`
}
