import { expect, it } from 'vitest'
import { testTitles } from '../../../infra/description/test-titles.ts'

const TABLE = `const ROWS: readonly Row[] = [['X01 a row', 1], [\`X02 a row\`, 2], ['another', 3]] as const\n`

it.each<[what: string, code: string, titles: readonly string[]]>([
  ['a suite and its tests', "describe('a', () => { it('b', () => {}); test('c', async () => {}) })", ['a', 'b', 'c']],
  ['a template', 'it(`X01 $' + '{count} times`, () => {})', ['X01 ']],
  ['a suite that may be skipped', "describe.skipIf(true)('a', () => {})", ['a']],
  ['tests that run at once', "describe.concurrent('a', () => { it.concurrent.each([1])('b', () => {}) })", ['a', 'b']],
  [
    'rows that begin with a text',
    "it.each([['X01 a', 1], ['b', 2]])('%s: ok', () => {})",
    ['%s: ok', 'X01 a: ok', 'b: ok'],
  ],
  ['rows that are texts', "it.each<string>(['X01 a'])('%s', () => {})", ['%s', 'X01 a']],
  ['rows of a constant', `${TABLE}it.each(ROWS)('%s', () => {})`, ['%s', 'X01 a row', 'X02 a row', 'another']],
  ['rows that stand behind something else', "it.each([['X01 a']])('X02 %s', () => {})", ['X02 %s']],
  ['rows that come from elsewhere', "it.each(rows())('%s', () => {})", ['%s']],
  ['a comment', "// it('X01 a', () => {})\n/* describe('X02 b') */", []],
  ['another call', "call('X01 a'); its('X02 b'); other.it('X03 c')", []],
  ['what is never run', "it.skip('X01 a', () => {}); it.todo('X02 b'); describe.skip('X03 c', () => {})", []],
])('the titles of %s', (_, code, titles) => {
  expect(testTitles(code, 'ts').toSorted()).toEqual(titles.toSorted())
})

it.each([
  ['TSX', 'tsx', 'it("X01 a", () => { render(<b>it</b>) })'],
  ['generic functions of TypeScript', 'ts', 'it("X01 a", () => { const same = <T>(value: T) => value })'],
] as const)('%s is read as what it is', (_, lang, code) => {
  expect(testTitles(code, lang)).toEqual(['X01 a'])
})
