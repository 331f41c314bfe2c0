import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { foundHandlers } from '../../../infra/handlers.ts'
import { inFull } from '../../support/full-runs.ts'
import { temporaryFolder } from '../../support/stack.ts'

const { path: root, remove } = temporaryFolder()
afterAll(remove)
let folders = 0

/** What is found in a folder with these files. */
function foundIn(files: Readonly<Record<string, string>>) {
  folders += 1
  const folder = join(root, `${folders}`)
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return foundHandlers(folder)
}

const NOT_LITERAL = 'must be literals, because the build reads them and does not run them'
const REST = 'export default handler(() => {})'

it('each file in a subfolder of the folder is a handler, except tests, declarations and files that begin with _', async () => {
  const text = `export const on = ['a']\n${REST}`
  const names = [
    'shop/b.ts',
    'shop/a.ts',
    'shop/a.test.ts',
    'shop/a.d.ts',
    'shop/_mail.ts',
    '_shared.ts',
    'shop/deep/x.ts',
  ]
  const found = await foundIn(Object.fromEntries([...names, 'shop/readme.md'].map((name) => [name, text])))
  expect(found).toEqual([
    { path: 'shop/a', on: ['a'] },
    { path: 'shop/b', on: ['a'] },
  ])
})

it('the folder can be missing', async () => {
  expect(await foundHandlers(join(root, 'absent'))).toEqual([])
})

describe('the events of a handler are parsed without running it', () => {
  it.each([
    ["export const on = ['orders/paid', 'a.**']", ['orders/paid', 'a.**']],
    ["export const on = ['a'] satisfies string[]", ['a']],
    ['export const on = [\n  \'a\', // one\n  /* two */ "b",\n]', ['a', 'b']],
    ["export const other = 1, on = ['a']", ['a']],
    ["throw new Error('not run')\nexport const on = ['a']", ['a']],
    ["import x from 'not-there'\nenum E { A }\nexport const on = ['a']", ['a']],
    ['export const on = []', []],
  ])('%j', async (text, on) => {
    expect(await foundIn({ 'shop/a.ts': `${text}\n${REST}` })).toEqual([{ path: 'shop/a', on }])
  })

  it('with the content that they must have', async () => {
    const text = `export const where = { json: { 'a-b': [-1, null, { exists: true }], c: { d: ['x'] } } } satisfies Where`
    const found = await foundIn({ 'shop/a.ts': `export const on = ['a']\n${text}\n${REST}` })
    const where = { json: { 'a-b': [-1, null, { exists: true }], c: { d: ['x'] } } }
    expect(found).toEqual([{ path: 'shop/a', on: ['a'], where }])
  })

  it.each([
    ["export const on = ['a']", 'must have a default export: export default handler(…)', 1, 0],
    [REST, "must say what it is for: export const on = ['type']", 1, 0],
    [`const on = ['a']\n${REST}`, "must say what it is for: export const on = ['type']", 1, 0],
    [`export const on = [...types]\n${REST}`, `on ${NOT_LITERAL}`, 1, 0],
    [`export const on = ['a'], where = { json: { [a]: [1] } }\n${REST}`, `on, where ${NOT_LITERAL}`, 1, 0],
    [`export const on = ['a'], where = { get json() {} }\n${REST}`, `on, where ${NOT_LITERAL}`, 1, 0],
    [`export const on = ['a'], where = { json: [a, 1 + 1] }\n${REST}`, `on, where ${NOT_LITERAL}`, 1, 0],
    ["export const on = ['a'\n", 'Expected "]" but found end of file', 2, 0],
  ])('%j: %s', async (text, problem, line, column) => {
    expect(await foundIn({ 'shop/a.ts': text })).toEqual([{ path: 'shop/a', problem: { text: problem, line, column } }])
  })

  it('a file outside of the folder of a source is reported', async () => {
    const problem = { text: 'must stand in the folder of a source, handlers/<source>', line: 1, column: 0 }
    expect(await foundIn({ 'a.ts': REST })).toEqual([{ path: 'a', problem }])
  })

  it('any file results in a list of texts or a problem with a place', async () => {
    const parts = [...['export ', 'const ', 'on', ' = ', "'a'", 'default ', 'let ', '${'], ...'[],{}\n`(']
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(fc.constantFrom(...parts), fc.string({ maxLength: 4 })), { maxLength: 20 }),
        async (some) => {
          const [found] = await foundIn({ 'shop/a.ts': some.join('') })
          const { on, problem } = found ?? {}
          expect(
            problem ? [typeof problem.text, typeof problem.line, typeof problem.column] : Array.isArray(on),
          ).toEqual(problem ? ['string', 'number', 'number'] : true)
        },
      ),
      { numRuns: inFull(1000) },
    )
  })
})
