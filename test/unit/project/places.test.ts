import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { OPEN_FAULT_NAMES } from '../../../localstack/providers/faults.ts'

/** Where the pages of the auth lab say that checks are made: a file, and the function that refuses. */
const PLACES = ['web/token/judge.ts', 'web/oauth/checks.ts'].flatMap((page) =>
  [...readFileSync(page, 'utf8').matchAll(/'(lib\/[\w/.-]+)(?:, (\w+))?'/g)].map(([, file = '', name = '']) => [
    file,
    name,
  ]),
)

it.each(PLACES)('the check that a page places in %s is there: %s', (file, name) => {
  expect(readFileSync(file, 'utf8')).toContain(name)
})

const QUALITY = readFileSync('docs/quality.md', 'utf8')
const figuresOf = (pattern: RegExp) => pattern.exec(QUALITY)?.slice(1).map(Number) ?? []

it.each([
  ['of 300 events during five SIGKILLs, 0 were lost', /\| 5 SIGKILLs .* (300) events .*\| (0) lost/, [300, 0]],
  ['takes 1.70 × the CPU', /Powertools' idempotency: [\d.]+ ms, ([\d.]+) ×/, [1.7]],
  ['about 8 USD a month without events', /\*\*together\*\* \| \*\*([\d.]+)/, [8]],
  ['about 6 USD for each million', /\| received \| ([\d.]+)/, [6]],
  ['about 13 with a delivery', /delivered once: `http` \| ([\d.]+)/, [13]],
])('README.md says what was measured: %s', (sentence, pattern, figures) => {
  expect(readFileSync('README.md', 'utf8').replaceAll(/\s+/g, ' ')).toContain(sentence)
  const isAbout = sentence.startsWith('about')
  expect(figuresOf(pattern).map((figure) => (isAbout ? Math.round(figure) : figure))).toEqual(figures)
})

it('the guide for clients counts the faults of the login provider', () => {
  const faults = OPEN_FAULT_NAMES.filter((name) => name !== 'no-fault')
  expect(readFileSync('docs/guide/test-your-client.md', 'utf8')).toContain(
    `the ${faults.length} faults of the provider`,
  )
})

/** As GitHub makes it of a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replaceAll(/\]\([^)]*\)|[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const textOf = (file: string) => readFileSync(file, 'utf8').replaceAll(/^```.*?^```/gms, '')

function anchorsIn(file: string): readonly string[] {
  const text = textOf(file)
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))
  return [...headings, ...[...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id)]
}

it.each(globSync('{*,docs/{*,guide/*,reference/*,decisions/*}}.md'))('every link of %s leads somewhere', (file) => {
  const links = [...textOf(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
  const lost = links.filter(([, path = '', anchor]) => {
    const target = path === '' ? file : join(dirname(file), path)
    return !existsSync(target) || (anchor !== undefined && !anchorsIn(target).includes(anchor))
  })
  expect(lost.map(([link]) => link)).toEqual([])
})
