import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const items = (section: string, ...numbers: readonly number[]) => numbers.map((number) => `${section}.${number}`)

/** The items of OWASP ASVS 5.0, up to level 2, that are about identity, and what the specification leaves out of them. */
const ITEMS = [
  ...items('1.2', 6),
  ...items('2.4', 1),
  ...items('3.3', 1, 2, 3, 4),
  ...items('3.5', 1, 2, 3),
  ...items('6.1', 1, 3),
  ...items('6.2', 1, 2, 3, 4, 5, 8, 9, 12),
  ...items('6.3', 1, 2, 3, 4),
  ...items('6.4', 1, 2, 3, 4),
  ...items('6.8', 1, 2),
  ...items('7.1', 1, 2, 3),
  ...items('7.2', 1, 2, 3, 4),
  ...items('7.3', 1, 2),
  ...items('7.4', 1, 2, 5),
  ...items('7.6', 1, 2),
  ...items('8.1', 1, 2),
  ...items('8.2', 1, 2, 3),
  ...items('8.3', 1),
  ...items('9.1', 1, 2, 3),
  ...items('9.2', 1, 2, 3, 4),
  ...items('10.1', 2),
  ...items('10.2', 1, 2),
  ...items('10.5', 1, 2, 3, 4),
  ...items('11.2', 2, 3),
  ...items('11.4', 1, 2, 3, 4),
  ...items('16.3', 1, 2, 3, 4),
  ...items('16.5', 1, 2, 3),
]

const page = readFileSync('docs/asvs.md', 'utf8')

const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+) \| ([^|]+) \| ([^|]+) \| ([^|]*) \|$/gm)].map(
  ([, item = '', asks = '', state = '', how = '']) => ({ item, asks, state, how }),
)

const linksOf = (folder: string, text: string) =>
  [...text.matchAll(/\]\(([^)#]+)[^)]*\)/g)].map(([, link = '']) => join(folder, link))

describe('the table of OWASP ASVS', () => {
  it('has a row for every item of the list, in its order', () => {
    expect(rows.map(({ item }) => item)).toEqual(ITEMS)
  })

  it('counts its rows right', () => {
    const count = (state: string) => rows.filter((row) => row.state === state).length
    expect(page).toContain(
      `${count('met')} met, ${count('deviation')} deviations, ${count('not applicable')} not applicable.`,
    )
  })

  it.each(rows)('$item is met, with code and a test, or says why it is not', ({ state, how }) => {
    const links = linksOf('docs', how)
    expect(links.filter((file) => !existsSync(file))).toEqual([])
    if (state === 'met') {
      const isWrittenDown = links.some((file) => file.endsWith('.md'))
      expect(isWrittenDown || links.some((file) => file.startsWith('test/'))).toBe(true)
    } else {
      expect(['deviation', 'not applicable']).toContain(state)
      expect(how.replace(/\[.*$/, '').length, 'the reason').toBeGreaterThan(10)
    }
  })
})

describe('SECURITY.md', () => {
  const text = readFileSync('SECURITY.md', 'utf8')

  it('names files that are there, and has at most 100 lines', () => {
    // The list of attacks comes with tests of its own.
    const links = linksOf('.', text).filter((file) => file !== 'docs/threats.md')
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter((file) => !existsSync(file))).toEqual([])
    expect(text.split('\n').length).toBeLessThanOrEqual(100)
  })
})
