import { writeFileSync } from 'node:fs'
import { type Print, TEXT, UsageError } from '../command.ts'
import { StartError } from '../errors.ts'
import { readBytes } from '../signatures.ts'

/** What a bench found out about one fault. */
export interface Verdict {
  readonly name: string
  readonly ok: boolean
  /** What the client or the receiver did; the others say what it should have done and which rule says so. */
  readonly did: string
  readonly should: string
  readonly why: string
}

/** What every command takes that prints verdicts. */
export const VERDICT_OPTIONS = { 'expected-failures': TEXT, junit: TEXT } as const

export const VERDICT_USAGE = `  --expected-failures FILE  names that may fail, one on each line, # begins a comment; one that passes fails the command
  --junit FILE              write the verdicts as JUnit XML, too`

type Given = Readonly<Partial<Record<keyof typeof VERDICT_OPTIONS, string>>>
type Outcome = Verdict & { readonly outcome: 'ok' | 'fail' | 'expected' | 'fixed' }

/**
 * Prints verdicts, one a line, and writes the wanted file.
 * @param suite what was judged, as the name of its tests
 * @returns the exit code: 0 if all passes but what is expected to fail, else 1
 * @throws UsageError for an expected name that there is none of; StartError for a file that cannot be read or written
 */
export function reportVerdicts(suite: string, verdicts: readonly Verdict[], given: Given, print: Print): number {
  const expected = expectedIn(given['expected-failures'], verdicts)
  const outcomes = verdicts.map((verdict): Outcome => {
    const [good, bad] = expected.includes(verdict.name) ? (['fixed', 'expected'] as const) : (['ok', 'fail'] as const)
    return { ...verdict, outcome: verdict.ok ? good : bad }
  })
  for (const one of outcomes) print(one, lineOf(one))
  if (given.junit !== undefined) write(given.junit, junitOf(suite, outcomes))
  return outcomes.some(isFailure) ? 1 : 0
}

function expectedIn(file: string | undefined, verdicts: readonly Verdict[]): readonly string[] {
  if (file === undefined) return []
  const lines = readBytes(file).toString().split('\n')
  const names = lines.map((line) => line.replace(/#.*/s, '').trim()).filter(Boolean)
  const unknown = names.filter((name) => !verdicts.some((verdict) => verdict.name === name))
  if (unknown.length === 0) return names
  throw new UsageError(
    `${file} names ${unknown.join(', ')}: the names are ${verdicts.map(({ name }) => name).join(', ')}`,
  )
}

function isFailure({ outcome }: Outcome): boolean {
  return outcome === 'fail' || outcome === 'fixed'
}

const FIXED = 'It passes: strike it from the expected failures.'

function lineOf({ name, outcome, did, should, why }: Outcome): string {
  const advice = outcome === 'fixed' ? ` ${FIXED}` : outcome === 'ok' ? '' : ` ${should} (${why})`
  return `${outcome.padEnd(8)}  ${name.padEnd(16)}  ${did}${advice}\n`
}

function junitOf(suite: string, outcomes: readonly Outcome[]): string {
  const count = (isCounted: (one: Outcome) => boolean) => outcomes.filter(isCounted).length
  const skipped = count(({ outcome }) => outcome === 'expected')
  const counts = `tests="${outcomes.length}" failures="${count(isFailure)}" errors="0" skipped="${skipped}"`
  const cases = outcomes.map(
    (one) => `    <testcase classname="${xml(suite)}" name="${xml(one.name)}">${resultOf(one)}</testcase>\n`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite name="${xml(suite)}" ${counts}>\n${cases.join('')}  </testsuite>\n</testsuites>\n`
}

function resultOf({ outcome, did, should, why }: Outcome): string {
  if (outcome === 'ok') return ''
  if (outcome === 'expected') return `<skipped message="${xml(did)}"/>`
  return `<failure message="${xml(outcome === 'fixed' ? FIXED : did)}">${xml(`${should} (${why})`)}</failure>`
}

/** As a text or a value; XML 1.0 has no name for control characters. */
function xml(text: string): string {
  const visible = text.replace(/[^\P{C}\n\t]/gu, '\ufffd')
  return visible.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function write(file: string, text: string): void {
  try {
    writeFileSync(file, text)
  } catch (cause) {
    throw new StartError(`${file} cannot be written`, { cause })
  }
}
