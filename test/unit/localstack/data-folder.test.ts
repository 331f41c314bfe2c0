import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openDataFolder } from '../../../localstack/data-folder.ts'
import { StartError } from '../../../localstack/start-error.ts'
import { temporaryFolder } from '../../support/stack.ts'

const parent = temporaryFolder()
afterAll(() => parent.remove())

it('a folder belongs to one run at a time, and to the next one after it', () => {
  const path = join(parent.path, 'one')
  const first = openDataFolder(path)
  const second = () => openDataFolder(path)
  expect(second).toThrow(
    new StartError(`The data folder ${path} cannot be used: another run is using it. DATA_DIR names another one.`),
  )
  first.close()
  second().close()
})

it('a file in the place of a folder is named and left alone', () => {
  const path = join(parent.path, 'file')
  writeFileSync(path, 'mine')
  expect(() => openDataFolder(path)).toThrow(`The data folder ${path} cannot be used: EEXIST`)
  expect(readFileSync(path, 'utf8')).toBe('mine')
})
