import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Package {
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly resolved?: string
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const lockOf = (folder: string): Readonly<Record<string, Package>> => read(`${folder}/package-lock.json`).packages
const manifestOf = (folder: string): Record<string, Record<string, string>> => read(`${folder}/package.json`)

describe.each(['.', 'bench'])('the lockfile of %s installs everywhere', (folder) => {
  const packages = lockOf(folder)

  it('every optional dependency of every package has an entry', () => {
    const installed = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !installed.has(name))
        .map((name) => `${path} → ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('no package is tied to the registry of the machine that made it', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved?.startsWith('http'))).toEqual([])
  })

  it.each(['dependencies', 'devDependencies', 'optionalDependencies'])('%s are exact versions', (kind) => {
    for (const version of Object.values(manifestOf(folder)[kind] ?? {})) {
      expect(version).toMatch(/^(npm:\w+@)?\d+\.\d+\.\d+$/)
    }
  })
})

it('the benchmarks run what the product runs, where both name it', () => {
  const { dependencies: own = {} } = manifestOf('.')
  const shared = Object.entries(manifestOf('bench')['dependencies'] ?? {}).filter(([name]) => Object.hasOwn(own, name))
  expect(shared).toEqual(shared.map(([name]) => [name, own[name]]))
})
