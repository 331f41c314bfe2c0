import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { BROWSER, METAFILES, type Metafiles, SERVED } from '../../infra/build.ts'
import { bundledFolders, NOTICES, packageIn, shippedText, titleOf } from '../../infra/supply/notices.ts'
import { isAllowed, LICENCES } from '../support/licences.ts'

/** Our deployed parts, each with the folders of its packages: functions and container by their entry file. */
let parts: Readonly<Record<string, readonly string[]>>

beforeAll(() => {
  const metafiles: Metafiles = JSON.parse(readFileSync(METAFILES, 'utf8'))
  parts = Object.fromEntries(
    Object.entries(metafiles)
      .filter(([name]) => !name.startsWith(SERVED))
      .map(([name, metafile]) => [name, bundledFolders(metafile)] as const),
  )
})

describe('third-party code in the deployed bundles', () => {
  it('has licenses that allow deployment', () => {
    const packages = [...new Set(Object.values(parts).flat())].map((folder) => packageIn(folder))
    expect(packages.length).toBeGreaterThan(50)
    expect(packages.filter(({ licence }) => !isAllowed(licence, LICENCES.deployed))).toEqual([])
  })

  it('ships a text of its license, or has a known replacement', () => {
    const folders = [...new Set(Object.values(parts).flat())]
    expect(folders.filter((folder) => shippedText(folder) === undefined)).toEqual([])
  })

  it('includes its license texts, in every bundle', () => {
    const { [BROWSER]: browser = [], ...bundles } = parts
    const missing = Object.entries(bundles).flatMap(([entry, folders]) => {
      const notices = readFileSync(`${bundleOf(entry)}/${NOTICES}`, 'utf8')
      return folders.filter((folder) => !notices.includes(`${titleOf(folder)}\n`)).map((folder) => [entry, folder])
    })
    expect(missing).toEqual([])
    const served = readFileSync(`dist/console/asset/${NOTICES}`, 'utf8')
    expect(browser.filter((folder) => !served.includes(titleOf(folder)))).toEqual([])
  })
})

function bundleOf(entry: string): string {
  const folder = entry.replace(/^functions/, 'dist').replace(/\.ts$/, '')
  return existsSync(folder) ? folder : `dist/${dirname(entry).replace(/^infra\//, '')}`
}
