import { cpSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { ENGINE, inProject } from '../../infra/project.ts'
import manifest from '../../package.json' with { type: 'json' }
import { FLAG, printerFor, readOptions, runCommand } from '../command.ts'
import { StartError } from '../errors.ts'

const USAGE = `npx gatehouse init [--json]

Writes what a repository of your own needs into this folder: a configuration, a handler with its test, a stage, a workflow for
GitHub. A file that is there stays as it is; package.json gets what it lacks, and each change is printed.

  --json  one object: done, a list of the printed lines
`

const TEMPLATE = join(ENGINE, 'examples/project')

/** npm leaves out a file of the name .gitignore, and a workflow below its own name would run here. */
const PLACES: Readonly<Record<string, string>> = { gitignore: '.gitignore', workflows: '.github/workflows' }

/** Tools of the project, in the versions that Gatehouse itself is tested with. */
const TOOLS = ['@types/node', 'typescript', 'vitest'] as const

const SCRIPTS = {
  start: 'gatehouse start',
  dev: 'gatehouse dev',
  check: 'gatehouse check && tsc',
  test: 'vitest run',
  package: 'gatehouse package',
  deploy: 'gatehouse deploy',
}

/** What `npm init` writes in the place of a test. */
const PLACEHOLDER = 'echo "Error: no test specified" && exit 1'

type Manifest = Readonly<Record<string, unknown>>

/** A package.json with what a project of Gatehouse needs, and a line for each change. What a person chose stays. */
export function merged(given: Manifest): { readonly manifest: Manifest; readonly changes: readonly string[] } {
  const { scripts, devDependencies } = given as Readonly<Record<string, Readonly<Record<string, string>> | undefined>>
  const own = Object.entries(scripts ?? {}).filter(([, text]) => text !== PLACEHOLDER)
  const tools = Object.fromEntries(TOOLS.map((name) => [name, manifest.devDependencies[name]]))
  const wanted = {
    private: given['private'] ?? true,
    // `npm init` writes commonjs without being asked.
    type: 'module',
    scripts: { ...SCRIPTS, ...Object.fromEntries(own) },
    devDependencies: { ...tools, ...devDependencies },
  }
  const changes = Object.entries(wanted).flatMap(([name, value]) => changesOf(name, given[name], value))
  return { manifest: { ...given, ...wanted }, changes }
}

/** How a member changes, one line for each of its own members. */
function changesOf(name: string, before: unknown, after: unknown): readonly string[] {
  if (typeof after !== 'object' || after === null)
    return before === after ? [] : [`${name}: ${before === undefined ? '' : `${before} → `}${after}`]
  const known = (before ?? {}) as Manifest
  return Object.entries(after).flatMap(([member, value]) => changesOf(`${name}.${member}`, known[member], value))
}

/** @returns a line for each file */
function init(): readonly string[] {
  const file = inProject('package.json')
  if (inProject('.') === '.') throw new StartError('This is Gatehouse itself: run it in the folder of your project.')
  const { manifest: whole, changes } = merged(existsSync(file) ? read(file) : { name: nameOf(file), version: '0.0.0' })
  const lines = globSync('**/*', { cwd: TEMPLATE, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(TEMPLATE.length + 1))
    .sort()
    .map(copied)
  writeFileSync(file, `${JSON.stringify(whole, null, 2)}\n`)
  return [...lines, ...changes.map((change) => `package.json  ${change}`)]
}

function copied(path: string): string {
  const [first = '', ...rest] = path.split('/')
  const name = [PLACES[first] ?? first, ...rest].join('/')
  const target = inProject(name)
  if (existsSync(target)) return `kept          ${name}`
  mkdirSync(dirname(target), { recursive: true })
  cpSync(join(TEMPLATE, path), target)
  return `written       ${name}`
}

/** @throws StartError for a file that is no JSON object */
function read(file: string): Manifest {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (cause) {
    throw new StartError(`package.json cannot be read: ${cause instanceof Error ? cause.message : cause}`)
  }
}

/** A name that npm takes. */
function nameOf(file: string): string {
  return (
    basename(dirname(file))
      .toLowerCase()
      .replace(/[^a-z0-9-]+/g, '-')
      .replace(/^-+|-+$/g, '') || 'webhooks'
  )
}

if (import.meta.main)
  await runCommand({
    name: 'init',
    usage: USAGE,
    run: (args) => {
      const { values } = readOptions({ args: [...args], options: { json: FLAG } })
      const done = init()
      printerFor(values.json)({ done }, `${done.join('\n')}\n\nNext: npm install, npm test, npx gatehouse start\n`)
      return 0
    },
  })
