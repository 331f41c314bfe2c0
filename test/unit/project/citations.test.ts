import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'

const PAGES = globSync('docs/reference/*.md')
  .sort()
  .map((file) => [basename(file, '.md'), readFileSync(file, 'utf8')] as const)
  .filter(([page]) => page !== 'README')

const RULES = new Set(PAGES.flatMap(([, text]) => idsOf(text)))

const CITATION = new RegExp(`\\b(?:${PAGES.map(([page]) => page).join('|')})-\\d+\\b`, 'g')

/** A citation of a text outside of the repository, by its part. */
const FOREIGN = /\bspec(?:ification)?(?:'s)?,? (?:part )?\d+(?:\.\d)?\b/gi

/** A comment: a line of its own, or the end of a line of code. */
const COMMENT = /^\s*(?:\/?\*|\/\/|#)(.*)$|\s\/\/ (.*)$|\/\*(.*?)\*\//gm

/** The ids of a page, in their order. */
function idsOf(text: string): readonly string[] {
  return [...text.matchAll(/^\| <a id="([a-z]+-\d+)"><\/a>\1 \|/gm)].map(([, id = '']) => id)
}

function unknownIn(text: string): readonly string[] {
  const cited: readonly string[] = text.match(CITATION) ?? []
  return [...cited.filter((id) => !RULES.has(id)), ...(text.match(FOREIGN) ?? [])]
}

/** The text of a file that may cite: all of a page or a test, otherwise the comments. */
function citingIn(file: string, text: string): string {
  return /\.(?:md|test\.ts)$/.test(file) ? text : commentsOf(text)
}

function commentsOf(source: string): string {
  return [...source.matchAll(COMMENT)].map(([, line, end, inside]) => line ?? end ?? inside).join('\n')
}

describe.each(PAGES)('docs/reference/%s.md', (page, text) => {
  const ids = idsOf(text)

  it('numbers its rules under its own name, in order, without repetition', () => {
    const numbers = ids.map((id) => Number(id.slice(page.length + 1)))
    expect(ids).toEqual(numbers.map((number) => `${page}-${number}`))
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
  })

  it('has a number for each row of its tables', () => {
    const rows = text.split('\n').filter((line) => /^\| (?!rule \|)/.test(line))
    expect(ids.length).toBeGreaterThan(10)
    expect(rows).toHaveLength(ids.length)
  })
})

it.each([
  '{lib,functions,localstack,infra,web,test,quality,examples}/**/*.{ts,tsx,mjs,yml}',
  '*.{ts,yml}',
  'docs/**/*.md',
])('%s cites rules of the reference, and only existing ones', (pattern) => {
  const files = globSync(pattern, { exclude: ['**/node_modules/**'] })
  expect(files.length).toBeGreaterThan(1)
  const wrong = files.flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const unknown = unknownIn(citingIn(file, text))
    return unknown.map((citation) => `${file}: ${citation}`)
  })
  expect(wrong).toEqual([])
})
