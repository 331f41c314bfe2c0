import { globSync, readFileSync } from 'node:fs'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'

const LENGTH = 50_000

/** Far longer than a linear match of so many characters takes anywhere, far shorter than a quadratic one. */
const BOUND_MS = 500

/** Finds the literals in code without comments, whose lines hold no quoted or inserted slashes but in the literals. */
const LITERAL =
  /(?<=(?:[=(,:?&|!]|=>|return)\s*)\/(?![/*])((?:[^/\\\n[]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+)\/([dgimsuvy]*)/g

/** The ones that are put together from texts; each has to be written down here. */
const ASSEMBLED: readonly RegExp[] = [',;', '+'].map(
  (separators) => new RegExp(`(?:\\\\.|"(?:\\\\.|[^"\\\\])*"|[^${separators}\\\\"])+`, 'gs'),
)

/** Whatever reads what strangers send: of the local cloud, not its commands, which read what their user wrote. */
const SOURCES = [
  '{lib,functions,web,infra/adapter}/**/*.{ts,tsx}',
  'localstack/{gateway,guard,sent-target}.ts',
  'localstack/{directory,providers,signatures}/**/*.ts',
]

const sources = globSync(SOURCES).map((file) => ({
  file,
  code: readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
}))

const literals = sources.flatMap(({ file, code }) =>
  [...code.matchAll(LITERAL)].map(([, source = '', flags]) => ({ file, regex: new RegExp(source, flags) })),
)

const regexes = [...literals, ...ASSEMBLED.map((regex) => ({ file: 'lib/adapters/ldap/dn.ts', regex }))].map(
  ({ file, regex }) => [file, regex] as const,
)

/** What is repeated, with what it begins and ends: nearly a match again and again, and then none. */
const UNITS = [
  ...[
    'a',
    'A',
    '0',
    ' ',
    '\t',
    '\n',
    '=',
    '-',
    '_',
    '.',
    ',',
    ';',
    ':',
    '/',
    '\\',
    '"',
    "'",
    '+',
    '$',
    '!',
    '~',
    '\0',
    'é',
  ],
  ...[
    'a0',
    'a ',
    ' a',
    'a,',
    'a.',
    '\\a',
    '\\\\',
    '\\2a',
    '"a',
    '"\\"',
    'a"',
    '==',
    'bearer ',
    'basic,',
    'm=1,',
    '-----',
  ],
  ...['-----BEGIN CERTIFICATE-----', '-----BEGIN CERTIFICATE-----a', 'google:', '{a}', '&<>"', 'sha256=', 'a=b+'],
]
const PREFIXES = ['', 'a', 'Bearer ', '"', 'google:', '$argon2id$v=19$m=1,t=1,p=1$', '-----BEGIN CERTIFICATE-----', '{']
const SUFFIXES = ['', '\n', '!', '\0', '"', '\u2028', ' x']

const texts = UNITS.flatMap((unit) =>
  PREFIXES.flatMap((prefix) =>
    SUFFIXES.map((suffix) => `${prefix}${unit.repeat(Math.ceil(LENGTH / unit.length))}${suffix}`),
  ),
)

describe('H24 every regular expression that meets the texts of strangers takes linear time', () => {
  it('all of them are found', () => {
    const sourcesOf = (text: string) => literals.filter(({ regex }) => regex.source.includes(text))
    for (const known of [
      'argon2id',
      'BEGIN CERTIFICATE',
      'sha256',
      'bearer|basic',
      'google|github',
      '\\w+',
      'A-Za-z0-9+/',
      'a-z]+:',
      '{(\\w+)',
    ]) {
      expect(sourcesOf(known), known).not.toEqual([])
    }
    expect(literals.length).toBeGreaterThanOrEqual(110)
    const assembling = sources.filter(({ code }) => /\bRegExp\(/.test(code)).map(({ file }) => file)
    // The second plays a directory for this machine alone.
    expect(assembling.sort()).toEqual(['lib/adapters/ldap/dn.ts', 'localstack/directory/match.ts'])
  })

  it.each(regexes)(
    `%s: %s on ${texts.length} texts of 50,000 characters`,
    (_, { source, flags }) => {
      expect(slowestOf(source, flags)).toBeLessThan(BOUND_MS)
    },
    90_000,
  )
})

/** In a context of its own, because only there an expression can be stopped that does not end by itself. */
function slowestOf(source: string, flags: string): number {
  const script = `
    const regex = new RegExp(source, flags)
    let slowest = 0
    for (const text of texts) {
      const since = now()
      text.replace(regex, '')
      slowest = Math.max(slowest, now() - since)
    }
    slowest`
  return runInNewContext(script, { texts, source, flags, now: () => performance.now() }, { timeout: 60_000 })
}
