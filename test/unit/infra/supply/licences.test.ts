import { describe, expect, it } from 'vitest'
import { packageIn, readLockfile } from '../../../../infra/supply/packages.ts'
import { isAllowed, LICENCES } from '../../../support/licences.ts'

describe.each(['.', 'quality'])('the licenses of the packages in %s', (folder) => {
  const locked = readLockfile(`${folder}/package-lock.json`)
  const refused = (isTool: boolean, licences: ReadonlySet<string>) =>
    Object.entries(locked)
      .filter(([, { dev = false }]) => dev === isTool)
      .map(([path]) => packageIn(path, locked))
      .filter(({ licence }) => !isAllowed(licence, licences))

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
