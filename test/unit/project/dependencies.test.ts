import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

interface Package {
  readonly optionalDependencies?: Readonly<Record<string, string>>
  readonly name?: string
  readonly resolved?: string
  readonly integrity?: string
  readonly link?: boolean
  readonly hasInstallScript?: boolean
}

/** With an address, npm asks for no list of versions: an install has half the requests, and none with a filled cache. */
const REGISTRY = 'https://registry.npmjs.org/'

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8'))
const lockOf = (folder: string): Readonly<Record<string, Package>> => read(`${folder}/package-lock.json`).packages
const manifestOf = (folder: string): Record<string, Record<string, string>> => read(`${folder}/package.json`)

describe.each(['.', 'quality', 'localstack/node'])('the lockfile of %s installs everywhere', (folder) => {
  const { '': _own, ...packages } = lockOf(folder)
  const { dependencies, devDependencies, optionalDependencies } = manifestOf(folder)
  const all = { ...dependencies, ...devDependencies, ...optionalDependencies }
  const foldersWith = (is: (entry: Package) => boolean) =>
    Object.entries(packages).flatMap(([path, entry]) => (is(entry) ? [path.replace(/^node_modules\//, '')] : []))

  it('every optional dependency of every package has an entry', () => {
    const installed = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !installed.has(name))
        .map((name) => `${path} → ${name}`),
    )
    expect(missing).toEqual([])
  })

  it('K09 every package is at the public registry, in whose place npm asks the configured one (replace-registry-host)', () => {
    expect(foldersWith(({ resolved = '', link }) => !resolved.startsWith(REGISTRY) || link === true)).toEqual([])
  })

  it('K09 every package has its SHA-512', () => {
    expect(foldersWith(({ integrity = '' }) => !/^sha512-[A-Za-z\d+/]{86}==$/.test(integrity))).toEqual([])
  })

  it('no package is installed under another name, except as package.json declares', () => {
    const renamed = Object.entries(all).filter(([, version]) => version.startsWith('npm:'))
    expect(foldersWith(({ name }) => name !== undefined)).toEqual(renamed.map(([name]) => name))
  })

  it('K09 every package with an install script is either allowed or denied to run it', () => {
    const decided = Object.keys(manifestOf(folder)['allowScripts'] ?? {})
    expect(foldersWith(({ hasInstallScript }) => hasInstallScript === true)).toEqual(decided.sort())
  })

  it('package.json names exact versions', () => {
    for (const version of Object.values(all)) expect(version).toMatch(/^(npm:\w+@)?\d+\.\d+\.\d+$/)
  })
})

it.each([
  ['.', ['save-exact=true', 'ignore-scripts=true']],
  ['localstack/node', ['save-exact=true', 'ignore-scripts=true']],
  ['quality', ['legacy-peer-deps=true', 'ignore-scripts=true']],
])('K09 the npm settings of %s name no registry, disable no check and disable scripts', (folder, settings) => {
  const lines = readFileSync(`${folder}/.npmrc`, 'utf8').split('\n')
  expect(lines.filter((line) => !/^(;|$)/.test(line))).toEqual(settings)
})

it('no script of package.json depends on a pre or post script, which npm skips together with those of packages', () => {
  const names = Object.keys(manifestOf('.')['scripts'] ?? {})
  expect(names.filter((name) => names.some((other) => name === `pre${other}` || name === `post${other}`))).toEqual([])
})

/** A shell remembers where it found a program; only a new look-up finds the Node that the install has just brought. */
it('each script that installs first then starts a new search for Node', () => {
  const scripts = Object.entries(manifestOf('.')['scripts'] ?? {})
  const installing = scripts.filter(([, script]) => /ensure-installed\.mjs (?!quality)/.test(script))
  expect(installing.map(([name]) => name)).toEqual(['start', 'dev', 'test', 'build', 'image', 'quality', 'pack'])
  for (const [name, script] of installing) {
    const rest = script
      .split(' && ')
      .filter((step) => !/^(?:cmp -s \S+ \S+ \|\| )?node localstack\/ensure-installed\.mjs\b/.test(step))
    expect(rest.join(' && '), name).toMatch(/^(?:exec env (?:\w+=\S+ )?node|npm run|vitest) /)
  }
})

it('the benchmarks use the versions of the product, if both depend on a package', () => {
  const { dependencies: own = {} } = manifestOf('.')
  const { devDependencies: others = {} } = manifestOf('quality')
  const shared = Object.entries(others).filter(([name]) => Object.hasOwn(own, name))
  expect(shared.length).toBeGreaterThan(0)
  expect(shared).toEqual(shared.map(([name]) => [name, own[name]]))
})
