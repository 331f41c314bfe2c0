import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

/** The items of levels 1 and 2 in the sections that docs/asvs.md judges (OWASP ASVS 5.0.0). */
const SECTIONS: Readonly<Record<string, readonly number[]>> = {
  // Of injection the one about the directory.
  '1.2': [6],
  '2.4': [1],
  '3.3': [1, 2, 3, 4],
  '3.4': [1, 2, 3, 4, 5, 6],
  '3.5': [1, 2, 3, 4, 5],
  '4.1': [1, 2, 3],
  '4.4': [1, 2, 3, 4],
  '6.1': [1, 2, 3],
  '6.2': [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
  '6.3': [1, 2, 3, 4],
  '6.4': [1, 2, 3, 4],
  '6.5': [1, 2, 3, 4, 5],
  '6.6': [1, 2, 3],
  '6.8': [1, 2, 3, 4],
  '7.1': [1, 2, 3],
  '7.2': [1, 2, 3, 4],
  '7.3': [1, 2],
  '7.4': [1, 2, 3, 4, 5],
  '7.5': [1, 2],
  '7.6': [1, 2],
  '8.1': [1, 2],
  '8.2': [1, 2, 3],
  '8.3': [1],
  '8.4': [1],
  '9.1': [1, 2, 3],
  '9.2': [1, 2, 3, 4],
  '10.1': [1, 2],
  '10.2': [1, 2],
  '10.3': [1, 2, 3, 4],
  '10.5': [1, 2, 3, 4, 5],
  '11.2': [1, 2, 3],
  '11.4': [1, 2, 3, 4],
  '12.3': [1, 2, 3, 4],
  '13.3': [1, 2],
  '14.2': [1, 2, 3, 4],
  '15.2': [1, 2, 3],
  '16.1': [1],
  '16.2': [1, 2, 3, 4, 5],
  '16.3': [1, 2, 3, 4],
  '16.4': [1, 2, 3],
  '16.5': [1, 2, 3],
}

const ITEMS = Object.entries(SECTIONS).flatMap(([section, numbers]) => numbers.map((number) => `${section}.${number}`))

const PAGE = readFileSync('docs/asvs.md', 'utf8')

const ROWS = [...PAGE.matchAll(/^\| (\d+\.\d+\.\d+) \| (.+?) \| (.+?) \| (.*) \|$/gm)].map(
  ([, item = '', asks = '', state = '', how = '']) => ({ item, asks, state, how }),
)

const stateOf = (wanted: string) => ROWS.filter(({ state }) => state === wanted)
const filesIn = (how: string) => [...how.matchAll(/\]\(([^)#\s]+)/g)].map(([, target = '']) => join('docs', target))
const itemsOf = (rows: typeof ROWS) => rows.map(({ item }) => item)

describe('docs/asvs.md', () => {
  it('has a row for each item, in their order, and no other row', () => {
    expect(itemsOf(ROWS)).toEqual(ITEMS)
  })

  it('states of each item whether it is met, not met or not applicable, and counts them', () => {
    const [met, not, none] = ['met', 'not met', 'not applicable'].map((state) => stateOf(state).length)
    expect(Number(met) + Number(not) + Number(none)).toBe(ROWS.length)
    expect(PAGE).toContain(`\n${met} met, ${not} not met, ${none} not applicable.\n`)
  })

  it('names a test for each item that is met', () => {
    expect(
      itemsOf(stateOf('met').filter(({ how }) => !filesIn(how).some((file) => file.includes('.test.ts')))),
    ).toEqual([])
  })

  it('names who is responsible, and why, for an item that is not met', () => {
    expect(itemsOf(stateOf('not met').filter(({ how }) => !/^.{10,}\. Owner: \w/.test(how)))).toEqual([])
  })

  it('states why an item does not apply', () => {
    expect(itemsOf(stateOf('not applicable').filter(({ how }) => how.length < 10))).toEqual([])
  })

  it('links only to files that exist', () => {
    expect(ROWS.flatMap(({ how }) => filesIn(how)).filter((file) => !existsSync(file))).toEqual([])
  })
})
