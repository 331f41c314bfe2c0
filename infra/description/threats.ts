import { globSync, readFileSync } from 'node:fs'
import { testTitles } from './test-titles.ts'

const FILE = 'docs/threats.md'

/** A row of the catalogue: its id, the attack, the expected result, and the files that prove it. */
const ROW = /^\| ([A-Z]\d\d) \| (.+) \| (.+) \| (.*) \|$/gm

/** The ids at the beginning of a test's title. */
const NAMED = /^((?:[A-Z]\d\d, )*[A-Z]\d\d) /

/** Every file with such a title matches this; most files do not, and parsing is slow. */
const MENTIONED = /['"`][A-Z]\d\d[ ,]/

/** The ids of the rows, in order. */
export function threatIds(): readonly string[] {
  return [...readFileSync(FILE, 'utf8').matchAll(ROW)].map(([, id = '']) => id)
}

/** The files that prove each row, by the id at the beginning of their tests' titles. */
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

/** The text of the catalogue with its last column replaced. */
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
