import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { copyProject } from '../../test/support/copy-project.ts'

const copy = mkdtempSync(join(tmpdir(), 'gatehouse-'))
const run = (command: string, ...args: readonly string[]) =>
  promisify(execFile)(command, args, { cwd: copy, maxBuffer: 1e8, env: { ...process.env, CI: '' } })

type Block = ReturnType<typeof blocksOf>[number]

/** The blocks under a heading that say which file they are of. */
function blocksOf(recipe: string) {
  const [, text = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split(`\n### ${recipe}\n`)
  const blocks = (text.split('\n### ')[0] ?? '').matchAll(/^```\w+ (\S+)(?: (before|after) (\w+))?\n(.*?)^```$/gms)
  return Array.from(blocks, ([, file = '', side, anchor, content = '']) => ({ file, side, anchor, content }))
}

function apply({ file, side, anchor, content }: Block): void {
  const path = join(copy, file)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, anchor === undefined ? content : inserted(readFileSync(path, 'utf8'), { side, anchor, content }))
}

/** Each part goes before, or after, the next line that holds the word; `adyen-platform` is another word than `adyen`. */
function inserted(text: string, { side, anchor, content }: Omit<Block, 'file'>): string {
  const lines = text.split('\n')
  let from = 0
  for (const part of content.trimEnd().split('\n\n')) {
    const at = lines.findIndex(
      (line, index) => index >= from && new RegExp(`(?<![\\w-])${anchor}(?![\\w-])`).test(line),
    )
    if (at < 0) throw new Error(`nothing names ${anchor}`)
    const added = part.split('\n')
    lines.splice(side === 'after' ? at + 1 : at, 0, ...added)
    from = at + added.length + 1
  }
  return lines.join('\n')
}

const RECIPES = [
  ['An endpoint', 3],
  ['A provider of webhooks', 5],
  ['An error', 2],
  ['A setting', 1],
] as const

/** The unit tests that hold files against each other. */
const TESTS = [
  'localstack/senders/',
  'localstack/signatures.ts',
  'project/layering',
  'infra/functions',
  'project/commands',
  'description/',
  'contract/',
  'errors',
  'grpc/',
  'http/',
  'web/lab/',
  'webhooks/providers/',
  'webhooks/schemes/',
]

describe('a copy in which CONTRIBUTING.md is followed exactly', () => {
  beforeAll(async () => {
    copyProject(process.cwd(), copy)
    for (const [recipe] of RECIPES) blocksOf(recipe).forEach(apply)
    await run(process.execPath, 'infra/description/write.ts')
  }, 60_000)
  afterAll(() => rmSync(copy, { recursive: true }))

  it.each(RECIPES)('%s takes %d handwritten files', (recipe, files) => {
    expect(new Set(blocksOf(recipe).map(({ file }) => file)).size).toBe(files)
  })

  it.each([
    ['types', 'node_modules/.bin/tsc', '--noEmit'],
    ['the types of the console', 'node_modules/.bin/tsc', '--noEmit', '--project', 'web'],
    ['lint', 'quality/node_modules/.bin/biome', 'check', '--error-on-warnings', '.'],
    ['dead code', 'quality/node_modules/.bin/knip'],
    ['the description', 'quality/node_modules/.bin/redocly', 'lint'],
    [
      'unit tests',
      'node_modules/.bin/vitest',
      'run',
      '--project',
      'fast',
      'test/inputs/',
      ...TESTS.map((part) => `test/unit/${part}`),
    ],
  ])(
    'passes the gate: %s',
    async (_, command, ...args) => {
      await run(command, ...args)
    },
    240_000,
  )
})
