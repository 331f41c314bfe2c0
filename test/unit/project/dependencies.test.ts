import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Package {
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly resolved?: string
}

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: Readonly<Record<string, Package>>
}
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, Record<string, string>>

describe('the lockfile installs everywhere', () => {
  it('every optional dependency of every package has an entry', () => {
    const installed = new Set(Object.keys(lock.packages).map((path) => path.replace(/^.*node_modules\//, '')))
    const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !installed.has(name))
        .map((name) => `${path} → ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('no package is tied to the registry of the machine that made it', () => {
    expect(Object.values(lock.packages).filter(({ resolved }) => resolved?.startsWith('http'))).toEqual([])
  })

  it.each(['dependencies', 'devDependencies', 'optionalDependencies'])('%s are exact versions', (kind) => {
    for (const version of Object.values(manifest[kind] ?? {})) expect(version).toMatch(/^(npm:\w+@)?\d+\.\d+\.\d+$/)
  })
})
