import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { parseWorkflow } from '@actions/workflow-parser'
import { describe, expect, it } from 'vitest'

const run = promisify(execFile)
const folder = mkdtempSync(join(tmpdir(), 'gatehouse-words-'))

/** The complaints of textlint about texts, each by its name. */
async function complaintsOf(texts: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const files = Object.entries(texts).map(([name, text]) => {
    const file = join(folder, name.replaceAll('/', '+'))
    writeFileSync(file, text)
    return file
  })
  const config = join(folder, 'textlintrc.json')
  writeFileSync(config, JSON.stringify({ rules: { prh: { rulePaths: [resolve('quality/words/prh.yml')] } } }))
  const options = [
    '--format',
    'json',
    '--config',
    config,
    '--rules-base-directory',
    resolve('quality/node_modules'),
    ...files,
  ]
  const { stdout } = await run('quality/node_modules/.bin/textlint', options).catch((error) => error)
  const results: readonly { filePath: string; messages: readonly { line: number; message: string }[] }[] =
    JSON.parse(stdout)
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ line, message }) => `${filePath.slice(folder.length + 1)}:${line} ${message.split('\n')[0]}`),
  )
}

/** All texts for people in a description of OpenAPI. */
function textsIn(value: unknown, name = ''): readonly string[] {
  if (typeof value === 'string') return ['summary', 'description'].includes(name) ? [value] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, one]) => textsIn(one, key))
}

describe('no word that readers stumble over is', () => {
  it('in a page', async () => {
    const pages = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/{*,guide/*,reference/*}.md')]
    const texts = Object.fromEntries(pages.map((file) => [file, readFileSync(file, 'utf8')]))
    expect(await complaintsOf(texts)).toEqual([])
  })

  it('in the description of the API', async () => {
    const texts = textsIn(JSON.parse(readFileSync('docs/openapi.json', 'utf8')))
    expect(texts.length).toBeGreaterThan(500)
    expect(await complaintsOf({ 'openapi.md': [...new Set(texts)].join('\n\n') })).toEqual([])
  })

  it('in the help of a command', async () => {
    const help = async (...options: readonly string[]) =>
      (await run(execPath, ['localstack/gatehouse.mjs', ...options, '--help'])).stdout
    const all = await help()
    const names = [...all.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name = '']) => name)
    const texts: Record<string, string> = { 'gatehouse.txt': all }
    for (const name of names) texts[`${name}.txt`] = await help(name)
    expect(await complaintsOf(texts)).toEqual([])
  }, 120_000)

  it('let through by these checks: each is found', async () => {
    const [complaint] = await complaintsOf({ 'planted.md': 'Whoever calls is told.\n' })
    expect(complaint).toContain('planted.md:1 Whoever => who')
  })
})

describe('a workflow', () => {
  const pages = globSync('docs/guide/*.md').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/^```yaml workflow\n(.*?)^```/gms)].map(([, text = '']) => [file, text]),
  )
  const files = globSync('{.github,examples/project}/workflows/*.yml').map((file) => [file, readFileSync(file, 'utf8')])

  it.each([...pages, ...files])('is one that GitHub reads: %s', (name = '', content = '') => {
    const { context } = parseWorkflow({ name, content }, { info: () => {}, error: () => {}, verbose: () => {} })
    expect(context.errors.getErrors().map(String)).toEqual([])
  })
})
