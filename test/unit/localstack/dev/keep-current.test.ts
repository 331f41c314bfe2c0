import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keepCurrent } from '../../../../localstack/dev/keep-current.ts'
import { temporaryFolder } from '../../../support/stack.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
  write('a', 'first')
})
afterEach(() => folder.remove())

const at = (name: string) => join(folder.path, name)
const write = (name: string, text: string) => writeFileSync(at(name), text)

function saveAtomically(name: string, text: string): void {
  write(`${name}.new`, text)
  renameSync(at(`${name}.new`), at(name))
}

/** Makes the text of the file `a`; `meanwhile` happens once the run has read it. */
function textOfA(meanwhile: () => unknown = () => {}) {
  let runs = 0
  const current = keepCurrent(
    () => [at('a')],
    async () => {
      runs += 1
      const value = readFileSync(at('a'), 'utf8')
      await meanwhile()
      if (value === 'broken') throw new Error('broken')
      return { value, files: [at('a')] }
    },
  )
  return { current, runs: () => runs }
}

describe('a build of files', () => {
  it('runs once while the files are unchanged', async () => {
    const { current, runs } = textOfA()
    expect([await current(), await current()]).toEqual(['first', 'first'])
    expect(runs()).toBe(1)
  })

  it.each([
    ['a write into the file', () => write('a', 'second')],
    ['a replacement of the file', () => saveAtomically('a', 'second')],
    ['a replacement of the file by one of the same length', () => saveAtomically('a', 'other')],
  ])('runs again after %s', async (_, save) => {
    const { current, runs } = textOfA()
    await current()
    save()
    expect(await current()).toBe(readFileSync(at('a'), 'utf8'))
    expect(runs()).toBe(2)
  })

  it('runs once for parallel calls', async () => {
    const { current, runs } = textOfA()
    expect(await Promise.all([current(), current(), current()])).toEqual(['first', 'first', 'first'])
    expect(runs()).toBe(1)
  })

  it('runs again if a file changed after it was read', async () => {
    const { current } = textOfA(() => write('a', 'second'))
    expect(await current()).toBe('first')
    expect(await current()).toBe('second')
  })

  it('runs again for a call during a run that read an older file', async () => {
    const reading = Promise.withResolvers<void>()
    const saved = Promise.withResolvers<void>()
    const { current } = textOfA(() => {
      reading.resolve()
      return saved.promise
    })
    const early = current()
    await reading.promise
    write('a', 'second')
    const late = [current(), current()]
    saved.resolve()
    expect(await early).toBe('first')
    expect(await Promise.all(late)).toEqual(['second', 'second'])
  })

  it('does not fail a call after the fix because an earlier run fails', async () => {
    write('a', 'broken')
    const reading = Promise.withResolvers<void>()
    const mended = Promise.withResolvers<void>()
    const { current } = textOfA(() => {
      reading.resolve()
      return mended.promise
    })
    const early = expect(current()).rejects.toThrow('broken')
    await reading.promise
    write('a', 'mended')
    const late = current()
    mended.resolve()
    await early
    expect(await late).toBe('mended')
  })

  it('is retried at each call until it succeeds', async () => {
    const { current, runs } = textOfA()
    await current()
    write('a', 'broken')
    await expect(current()).rejects.toThrow('broken')
    await expect(current()).rejects.toThrow('broken')
    expect(runs()).toBe(3)
    write('a', 'mended')
    expect(await current()).toBe('mended')
  })

  it('is unchanged after a broken file is restored', async () => {
    const { current, runs } = textOfA()
    await current()
    renameSync(at('a'), at('kept'))
    write('a', 'broken')
    await expect(current()).rejects.toThrow('broken')
    renameSync(at('kept'), at('a'))
    expect(await current()).toBe('first')
    expect(runs()).toBe(2)
  })

  it('runs again after a file is removed', async () => {
    const { current } = textOfA()
    await current()
    rmSync(at('a'))
    await expect(current()).rejects.toThrow('ENOENT')
  })

  it('runs again if a file was unknown before and changed after it was read', async () => {
    let isFirst = true
    const current = keepCurrent(
      () => [],
      async () => {
        const value = readFileSync(at('a'), 'utf8')
        if (isFirst) write('a', 'second')
        isFirst = false
        return { value, files: [at('a')] }
      },
    )
    expect([await current(), await current()]).toEqual(['first', 'second'])
  })
})
