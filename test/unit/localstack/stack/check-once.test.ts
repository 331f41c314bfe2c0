import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { checkOnce } from '../../../../localstack/stack/check-once.ts'
import { temporaryFolder } from '../../../support/stack.ts'

let folder: string
let checked: number

beforeEach(() => {
  const { path, remove } = temporaryFolder()
  folder = path
  checked = 0
  write('a', 'one')
  write('b', 'two')
  return remove
})

function write(name: string, content: string): void {
  writeFileSync(join(folder, name), content)
}

/** A start of the engine, which checks its description: two files. @returns how often it has been checked until now */
async function start(check = async () => {}): Promise<number> {
  const validateConfig = async () => {
    checked += 1
    await check()
  }
  const engine = { configSchemaHandler: { validateConfig } as { validateConfig(configuration: object): Promise<void> } }
  checkOnce(engine, join(folder, 'cache/stamp'), [join(folder, '{a,b,c}')])
  await engine.configSchemaHandler.validateConfig({ service: 'gatehouse' })
  return checked
}

describe('serverless.yml', () => {
  it('is checked against the schema by the first start, and not by the next', async () => {
    expect([await start(), await start()]).toEqual([1, 1])
  })

  it.each([
    ['a file has other content', () => write('b', 'three')],
    ['a file is new', () => write('c', '')],
    ['a file is missing', () => rmSync(join(folder, 'b'))],
    ['content has moved from one file to the next', () => [write('a', 'onet'), write('b', 'wo')]],
  ])('is checked again when %s', async (_, change) => {
    await start()
    change()
    expect(await start()).toBe(2)
  })

  it('that violates the schema ends every start', async () => {
    const refuse = () => Promise.reject(new Error('Configuration error'))
    await expect(start(refuse)).rejects.toThrow('Configuration error')
    await expect(start(refuse)).rejects.toThrow('Configuration error')
  })
})
