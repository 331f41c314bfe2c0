import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { BROWSER, METAFILES } from '../../infra/build.ts'
import { dependencies } from '../../infra/supply/dependencies.ts'
import { isAllowed, LICENCES } from '../../infra/supply/licences.ts'
import { NOTICES, titleOf } from '../../infra/supply/notices.ts'
import { packageIn } from '../../infra/supply/packages.ts'
import { deployedParts, type Parts } from '../../infra/supply/parts.ts'

let parts: Parts

beforeAll(() => {
  parts = deployedParts(JSON.parse(readFileSync(METAFILES, 'utf8')))
})

describe("others' code in what is deployed", () => {
  it('has licences that may be deployed', () => {
    const packages = [...new Set(Object.values(parts).flat())].map(packageIn)
    expect(packages.length).toBeGreaterThan(50)
    expect(packages.filter(({ licence }) => !isAllowed(licence, LICENCES.deployed))).toEqual([])
  })

  it('comes with its licence texts, in every bundle', () => {
    const { [BROWSER]: browser = [], ...bundles } = parts
    const missing = Object.entries(bundles).flatMap(([entry, folders]) => {
      const notices = readFileSync(`${bundleOf(entry)}/${NOTICES}`, 'utf8')
      return folders.filter((folder) => !notices.includes(`${titleOf(folder)}\n`)).map((folder) => [entry, folder])
    })
    expect(missing).toEqual([])
    const served = ['console', 'docs'].map((name) => readFileSync(`dist/${name}/asset/${NOTICES}`, 'utf8')).join()
    expect(browser.filter((folder) => !served.includes(titleOf(folder)))).toEqual([])
  })

  it('is listed in docs/dependencies.md as it is', () => {
    const isFresh = readFileSync('docs/dependencies.md', 'utf8') === dependencies(parts)
    expect(isFresh, 'docs/dependencies.md is stale: run npm run sbom').toBe(true)
  })
})

function bundleOf(entry: string): string {
  const folder = entry.replace(/^functions/, 'dist').replace(/\.ts$/, '')
  return existsSync(folder) ? folder : `dist/${dirname(entry).replace(/^infra\//, '')}`
}
