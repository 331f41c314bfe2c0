import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { StartError } from '../../../../localstack/errors.ts'
import { openDataFolder } from '../../../../localstack/stack/data-folder.ts'
import { temporaryFolder } from '../../../support/stack.ts'

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

it('a file in the place of a folder is named and left unchanged', () => {
  const path = join(parent.path, 'file')
  writeFileSync(path, 'mine')
  expect(() => openDataFolder(path)).toThrow(`The data folder ${path} cannot be used: EEXIST`)
  expect(readFileSync(path, 'utf8')).toBe('mine')
})

const [OLDER, NEWER] = [
  'an older version of Gatehouse, which this one cannot read: delete it',
  'a newer version of Gatehouse, which this one cannot read: install that one again',
]
const refusal = (path: string, why: string) =>
  new StartError(`The data folder ${path} was written by ${why}, or set DATA_DIR to another folder.`)

it.each([
  ['has no layout', 'dynamodb.sqlite', undefined, OLDER],
  ['has no layout, of the other engine', 'dynamodb-local', undefined, OLDER],
  ['has the former one', 'dynamodb.sqlite', '5\n', OLDER],
  ['has the next one', 'dynamodb.sqlite', '7\n', NEWER],
])(
  'a folder with data of another version is refused with the remedy, and left unchanged: it %s',
  (what, store, layout, why) => {
    const path = join(parent.path, what)
    mkdirSync(path)
    writeFileSync(join(path, store), 'data')
    if (layout !== undefined) writeFileSync(join(path, 'layout'), layout)
    for (const _ of [1, 2]) expect(() => openDataFolder(path)).toThrow(refusal(path, why))
    expect(readFileSync(join(path, store), 'utf8')).toBe('data')
  },
)

it('a folder of the same version is used again, with its data', () => {
  const path = join(parent.path, 'again')
  openDataFolder(path).close()
  writeFileSync(join(path, 'dynamodb.sqlite'), 'data')
  openDataFolder(path).close()
  expect(readFileSync(join(path, 'dynamodb.sqlite'), 'utf8')).toBe('data')
})
