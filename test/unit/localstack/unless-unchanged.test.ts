import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { unlessUnchanged } from '../../../localstack/check-once.ts'

let folder: string
let times: number

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
  times = 0
  write('a', 'one')
  write('b', 'two')
})
afterEach(() => rmSync(folder, { recursive: true }))

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
