import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { folderOf } from '../../../../infra/supply/packages.ts'
import { isAllowed, LICENCES } from '../../../support/licences.ts'

/** Licenses that the lockfiles leave out, from a README or an older form of package.json. */
const UNDECLARED: Readonly<Record<string, string>> = { busboy: 'MIT', precond: 'MIT', streamsearch: 'MIT' }

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

describe('a license', () => {
  it.each([
    ['MIT', true],
    ['GPL-3.0-or-later', false],
    ['unknown', false],
    ['MIT OR GPL-3.0-or-later', true],
    ['MIT AND GPL-3.0-or-later', false],
    ['Apache-2.0 AND BSD-3-Clause', true],
    ['MIT AND (Apache-2.0 OR GPL-2.0-only)', false],
    ['SEE LICENSE IN LICENSE.md', false],
  ])('%s: allows deployment, %s', (expression, allowed) => {
    expect(isAllowed(expression, LICENCES.deployed)).toBe(allowed)
  })
})

describe('the folder of a package', () => {
  it.each([
    ['node_modules/zod/v4/index.js', 'node_modules/zod'],
    ['../../shop/node_modules/@scope/name/index.js', '../../shop/node_modules/@scope/name'],
    ['node_modules/one/node_modules/two/index.js', 'node_modules/one/node_modules/two'],
    ['lib/errors.ts', undefined],
    ['imported:node:fs?node_modules/ldapts/index.js', undefined],
    ['imported:node:fs?../../shop/node_modules/ldapts/index.js', undefined],
  ])('of %s is %s', (file, folder) => {
    expect(folderOf(file)).toBe(folder)
  })
})
