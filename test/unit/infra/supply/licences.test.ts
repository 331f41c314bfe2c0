import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../../../../infra/supply/notices.ts'
import { isAllowed, LICENCES } from '../../../support/licences.ts'

/** Licenses that the lockfiles leave out, from a README, a LICENSE or an older form of package.json. */
const UNDECLARED: Readonly<Record<string, string>> = {
  busboy: 'MIT',
  chargebee: 'MIT',
  format: 'MIT',
  precond: 'MIT',
  streamsearch: 'MIT',
}

interface Locked {
  readonly license?: string
  /** Only tools and tests need it. */
  readonly dev?: true
}

describe.each(['.', 'quality'])('the licenses of the packages in %s', (folder) => {
  const { '': _own, ...packages } = JSON.parse(readFileSync(`${folder}/package-lock.json`, 'utf8')).packages
  const locked = Object.entries<Locked>(packages).map(([path, { license, dev = false }]) => {
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    return { name, licence: (license ?? UNDECLARED[name] ?? 'unknown').replace(/^\(([^()]*)\)$/, '$1'), dev }
  })
  const refused = (isTool: boolean, licences: ReadonlySet<string>) =>
    locked.filter(({ licence, dev }) => dev === isTool && !isAllowed(licence, licences))

  it('are all on the list for deployment, if the product depends on them', () => {
    expect(refused(false, LICENCES.deployed)).toEqual([])
  })

  it('are all on the list of tools, if only the development depends on them', () => {
    expect(refused(true, LICENCES.tools)).toEqual([])
  })
})

it.each([
  ['../../shop/node_modules/@scope/name/index.js', '../../shop/node_modules/@scope/name'],
  ['node_modules/one/node_modules/two/index.js', 'node_modules/one/node_modules/two'],
  ['lib/errors.ts', undefined],
  ['imported:node:fs?node_modules/ldapts/index.js', undefined],
])('the folder of a package of %s is %s', (file, folder) => {
  expect(folderOf(file)).toBe(folder)
})
