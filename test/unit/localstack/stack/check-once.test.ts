import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkOnce, unlessUnchanged } from '../../../../localstack/stack/check-once.ts'
import { temporaryFolder } from '../../../support/stack.ts'

let folder: string
let times: number

beforeEach(() => {
  const { path, remove } = temporaryFolder()
  folder = path
  times = 0
  write('a', 'one')
  write('b', 'two')
  return remove
})

/** A start of the engine, which checks its configuration. */
async function start(check: (configuration: object) => Promise<void>): Promise<void> {
  const engine = { configSchemaHandler: { validateConfig: check } }
  checkOnce(engine, join(folder, 'stamp'))
  await engine.configSchemaHandler.validateConfig({ service: 'gatehouse' })
}

describe('serverless.yml', () => {
  it('is checked against the schema by the first start, and not by the next', async () => {
    const checked: object[] = []
    const check = async (configuration: object) => void checked.push(configuration)
    await start(check)
    await start(check)
    expect(checked).toEqual([{ service: 'gatehouse' }])
  })

  it('that violates the schema ends every start', async () => {
    const refuse = () => Promise.reject(new Error('Configuration error'))
    await expect(start(refuse)).rejects.toThrow('Configuration error')
    await expect(start(refuse)).rejects.toThrow('Configuration error')
  })
})

function write(name: string, content: string): void {
  writeFileSync(join(folder, name), content)
}

/** @returns how often the work has been done until now */
async function run(names: readonly string[], work = async () => {}): Promise<number> {
  const files = names.map((name) => join(folder, name))
  await unlessUnchanged(files, join(folder, 'cache/stamp'), async () => {
    times += 1
    await work()
  })
  return times
}

describe('work on unchanged files', () => {
  it('is done once, in any order of their names', async () => {
    expect([await run(['a', 'b']), await run(['b', 'a'])]).toEqual([1, 1])
  })

  it.each([
    ['one has other content', () => write('b', 'three'), ['a', 'b']],
    ['one is new', () => write('c', ''), ['a', 'b', 'c']],
    ['one is missing', () => {}, ['a']],
    ['content has moved from one file to the next', () => [write('a', 'onet'), write('b', 'wo')], ['a', 'b']],
  ])('is done again when %s', async (_, change, names) => {
    await run(['a', 'b'])
    change()
    expect(await run(names)).toBe(2)
  })

  it('is done again after a failure', async () => {
    const failing = () => Promise.reject(new Error('broken'))
    await expect(run(['a'], failing)).rejects.toThrow('broken')
    expect(await run(['a'])).toBe(2)
  })
})
