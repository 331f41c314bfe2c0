import { execFile, execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { join } from 'node:path'
import { execPath, stdout, version } from 'node:process'
import { promisify } from 'node:util'
import { code, table, withParts } from '../../infra/description/markdown.ts'
import { runCommand } from '../../localstack/command.ts'
import { FAULT_NAMES } from '../../localstack/lab/faults.ts'
import { OPEN_FAULT_NAMES } from '../../localstack/providers/faults.ts'
import { pythonWith } from '../../test/support/python.ts'
import { freeOffset, type Stack, startStack } from '../../test/support/stack.ts'

const PAGE = 'docs/guide/test-your-client.md'

const USAGE = `npm run quality -- report-card

Has client libraries, with their defaults, call below every fault of the lab, and writes its verdicts into ${PAGE}.
It needs Java, and a Python with requests and Authlib (.ci/install).
`

const FAULTS = { api: FAULT_NAMES, oauth: OPEN_FAULT_NAMES.filter((fault) => fault !== 'no-fault') } as const

/** The command runs the file of this folder, which is the client. */
type Library = readonly [name: string, version: string, kind: keyof typeof FAULTS, command: string, file: string]

await runCommand({ name: 'quality -- report-card', usage: USAGE, run })

async function run(): Promise<number> {
  const stack = await startStack({ PORT_OFFSET: String(await freeOffset()), DATA_DIR: 'memory', PROFILE: 'default' })
  try {
    const rows = await Promise.all(libraries().map((library) => rowOf(library, stack)))
    const head = ['library, with its defaults', 'passed', 'failed', 'unfinished']
    const made = `Made on ${new Date().toISOString().slice(0, 10)} by \`npm run quality -- report-card\`.`
    const text = `${table(head, rows)}\n\n${made}`
    writeFileSync(PAGE, withParts(PAGE, { report_card: () => text }))
    stdout.write(`${text}\n`)
    return 0
  } finally {
    await stack.stop()
  }
}

function libraries(): readonly Library[] {
  const python = pythonWith('authlib', 'requests')
  if (python === undefined) throw new Error('There is no Python with requests and Authlib')
  const said = (...[command = '', ...args]: readonly string[]) => execFileSync(command, args, { encoding: 'utf8' })
  const versionIn = (module: string) => said(python, '-c', `import ${module} as m; print(m.__version__)`).trim()
  const java = said('java', '--version').split(' ')[1]
  return [
    ['axios', packageVersion('axios'), 'api', execPath, 'api.ts'],
    ['fetch', `of Node.js ${version}`, 'api', execPath, 'api.ts'],
    ['got', packageVersion('got'), 'api', execPath, 'api.ts'],
    ['requests', versionIn('requests'), 'api', python, 'api.py'],
    ['HttpClient', `of Java ${java}`, 'api', 'java', 'Api.java'],
    ['openid-client', packageVersion('openid-client'), 'oauth', execPath, 'oauth.ts'],
    ['Authlib', versionIn('authlib'), 'oauth', python, 'oauth.py'],
  ]
}

function packageVersion(name: string): string {
  return JSON.parse(readFileSync(findPackageJSON(name, import.meta.url) ?? '', 'utf8')).version
}

/** @throws Error of a client that ends with one, or does not try a fault */
async function rowOf([name, own, kind, command, file]: Library, { ready }: Stack): Promise<readonly string[]> {
  const address = kind === 'api' ? ready.http : String(ready.idp?.google)
  await promisify(execFile)(command, [join(import.meta.dirname, file), address, name, ...FAULTS[kind]])
  const answer = await fetch(`${ready.http}/lab/report/${name}`)
  const { faults } = (await answer.json()) as { readonly faults: readonly { fault: string; verdict: string }[] }
  const judged = faults.filter(({ fault }) => (FAULTS[kind] as readonly string[]).includes(fault))
  const idle = judged.filter(({ verdict }) => verdict === 'not tried').map(({ fault }) => fault)
  if (idle.length > 0) throw new Error(`${name} has not tried ${idle.join(', ')}`)
  const cells = ['passed', 'failed', 'unfinished'].map((wanted) => {
    const names = judged.filter(({ verdict }) => verdict === wanted).map(({ fault }) => code(fault))
    return names.join(', ') || '–'
  })
  return [`${name} ${own}`, ...cells]
}
