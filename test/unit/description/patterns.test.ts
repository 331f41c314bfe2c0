import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { DESTINATION_FORM } from '../../../functions/api/messages-create.ts'
import { withPortablePatterns } from '../../../infra/description/for-generators.ts'
import { label, shortText } from '../../../lib/contract/requests/fields.ts'
import { temporaryFolder } from '../../support/stack.ts'

const [NAME, TEXT] = [label(), shortText()]

const folder = temporaryFolder()
afterAll(() => folder.remove())

function patternsIn(part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return []
  const { pattern } = part as { readonly pattern?: unknown }
  return [...(typeof pattern === 'string' ? [pattern] : []), ...Object.values(part).flatMap(patternsIn)]
}

const PATTERNS = ['docs/openapi.json', 'docs/asyncapi.json'].flatMap((file) =>
  patternsIn(JSON.parse(readFileSync(file, 'utf8'))),
)
const EACH = [...new Set(PATTERNS)]

/** JSON Schema 2020-12 section 6.4: characters, sets, quantifiers, anchors, groups and alternatives. */
const ADVISED = /^(?:[^\\[\](){}*+?.^$|]|\\[.]|\[\^?(?:[^\\[\]]|\\x[0-9a-f]{2})+\]|[*+?^$()|]|\{\d+(?:,\d*)?\})+$/

const JAVA = `class Patterns { public static void main(String[] all) { for (var each : all) java.util.regex.Pattern.compile(each); } }`
const GO = `package main
import ("os"; "regexp")
func main() { for _, each := range os.Args[1:] { regexp.MustCompile(each) } }`

/** What compiles all patterns, given as arguments; the name of what runs it. */
const ENGINES: readonly (readonly [engine: string, command: string, (write: typeof written) => readonly string[]])[] = [
  ['Python', 'python3', () => ['-c', 'import re, sys\nfor each in sys.argv[1:]: re.compile(each)']],
  ['Java', 'java', (write) => [write('Patterns.java', JAVA)]],
  ['Go', 'go', (write) => ['run', write('main.go', GO), '--']],
]

function written(name: string, text: string): string {
  writeFileSync(join(folder.path, name), text)
  return join(folder.path, name)
}

describe('the patterns of the descriptions', () => {
  it('are there, and within what JSON Schema advises', () => {
    expect(EACH.length).toBeGreaterThan(15)
    expect(EACH.filter((pattern) => !ADVISED.test(pattern))).toEqual([])
  })

  it('compile in JavaScript without `u`, and with it', () => {
    for (const pattern of EACH) for (const flags of ['', 'u']) expect(new RegExp(pattern, flags)).toBeTruthy()
  })

  it.each(ENGINES.map(([engine, command, args]) => ({ engine, command, args })))(
    'compile in $engine, where it is installed',
    ({ command, args }) => {
      const isThere = spawnSync(command, ['-version']).error === undefined
      const { status, stderr } = isThere
        ? spawnSync(command, [...args(written), ...EACH], { encoding: 'utf8' })
        : { status: 0, stderr: '' }
      expect([status, stderr]).toEqual([0, ''])
    },
    60_000,
  )

  it.each([
    ['names', '^[^\\p{Cc}\\p{Cs}]{1,64}$', (text: string) => NAME.safeParse(text).success],
    ['texts', '^[^\\p{Cc}\\p{Cs}]{1,256}$', (text: string) => TEXT.safeParse(text).success],
    ['destinations', DESTINATION_FORM.source, (text: string) => DESTINATION_FORM.test(text)],
  ])('match every one of the %s that the service takes', (_, pattern, isTaken) => {
    const { schema } = withPortablePatterns({ components: {}, schema: { pattern } }) as {
      schema: { pattern: string; maxLength?: number }
    }
    const published = new RegExp(schema.pattern)
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string().map((user) => `/user/${user}/queue/a`),
    )
    fc.assert(fc.property(text, (given) => !isTaken(given) || published.test(given)))
    expect([published.test('\n'), published.test('a\nb')]).toEqual([false, false])
  })
})
