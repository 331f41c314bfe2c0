import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { DESTINATION_FORM } from '../../functions/api/messages-create.ts'
import { DESTINATIONS } from '../../lib/stomp/destinations.ts'

type Recheck = typeof import('recheck')

/** Its part in plain JavaScript, so that the answers are the same on every machine. */
const { checkSync }: Pick<Recheck, 'checkSync'> = createRequire(import.meta.url)('recheck/lib/browser.js')

/** By steps instead of seconds. Automata of a moderate size are decided, for larger ones attacks are searched for. */
const WAY = {
  timeout: null,
  randomSeed: 1,
  maxRepeatCount: 10,
  maxNFASize: 5000,
  maxIteration: 5,
  maxGeneStringSize: 2000,
  attackLimit: 500_000,
} as const satisfies Parameters<Recheck['checkSync']>[2]

/** Finds the literals in code without comments, whose lines hold no quoted or inserted slashes but in the literals. */
const LITERAL =
  /(?<=(?:[=(,:?&|!]|=>|return)\s*)\/(?![/*])((?:[^/\\\n[]|\\[^\n]|\[(?:[^\]\\\n]|\\[^\n])*\])+)\/([dgimsuvy]*)/g

/** The ones that are put together from texts; each has to be written down here. */
const ASSEMBLED: readonly { readonly file: string; readonly regex: RegExp }[] = [
  ...[',;', '+'].map((separators) => ({
    file: 'lib/adapters/ldap/dn.ts',
    regex: new RegExp(`(?:\\\\.|"(?:\\\\.|[^"\\\\])*"|[^${separators}\\\\"])+`, 'gs'),
  })),
  ...[DESTINATIONS.public, DESTINATIONS.own].map(({ pattern }) => ({
    file: 'lib/stomp/destinations.ts',
    regex: pattern,
  })),
  { file: 'functions/api/messages-create.ts', regex: DESTINATION_FORM },
]

/** Whatever reads what strangers send: of the local cloud, not its commands, which read what their user wrote. */
const SOURCES = [
  '{lib,functions,web,infra/adapter}/**/*.{ts,tsx}',
  'localstack/stack/{gateway,guard}.ts',
  'localstack/{commands,providers,stack/directory}/**/*.ts',
]

const sources = globSync(SOURCES).map((file) => ({
  file,
  code: readFileSync(file, 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, ''),
}))

const literals = sources.flatMap(({ file, code }) =>
  [...code.matchAll(LITERAL)].map(([, source = '', flags]) => ({ file, regex: new RegExp(source, flags) })),
)

const regexes = new Map([...literals, ...ASSEMBLED].map(({ file, regex }) => [String(regex), { file, regex }]))

describe('H24 every regular expression on untrusted text takes linear time', () => {
  it('all of them are found', () => {
    expect(literals.length).toBeGreaterThanOrEqual(110)
    const assembling = sources.filter(({ code }) => /\bRegExp\(/.test(code)).map(({ file }) => file)
    const read = ASSEMBLED.map(({ file }) => file)
    // One plays a directory for this machine alone; one looks for a text, each character of which is escaped.
    const others = ['localstack/stack/directory/embedded.ts', 'web/ui/json-lines.ts']
    expect(assembling.sort()).toEqual([...new Set(read), ...others].sort())
  })

  it.each([...regexes.values()])(
    '$file: $regex',
    ({ regex }) => {
      expect(verdictOn(regex)).toBe('safe')
    },
    90_000,
  )

  it.each([/^(a+)+$/, /\s+$/, /^(?!x)(?:a|a)*$/, /^(?:\w{1,64}-?){1,64}$/])('which %s does not', (regex) => {
    expect(verdictOn(regex)).toBe('vulnerable')
  })
})

function verdictOn({ source, flags }: RegExp): 'safe' | 'vulnerable' | 'unknown' {
  return checkSync(source, flags, WAY).status
}
