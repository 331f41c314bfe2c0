import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>
}

/** Each command on one line, as it is after its line ends are escaped. */
const linesOf = (text: string) =>
  text
    .replaceAll(/\\\n */g, '')
    .trim()
    .split('\n')

/** The commands of the page that `quality/long/deploy-pages.test.ts` runs. */
const shown = [...readFileSync('docs/deploy.md', 'utf8').matchAll(/^```sh \(against a stand-in\)\n(.*?)^```/gms)]
const run = new Set(['bash .ci/run', ...shown.flatMap(([, block = '']) => linesOf(block))])

describe.each(globSync('.github/workflows/*.yml'))('%s', (file) => {
  const text = readFileSync(file, 'utf8')
  const { permissions, jobs }: Workflow = parse(text)
  const commands = Object.values(jobs).flatMap(({ steps }) => steps.flatMap((step) => linesOf(step.run ?? '')))

  it('runs only commands that are run here', () => {
    const ours = commands.filter((line) => line !== '')
    expect(ours.length).toBeGreaterThan(0)
    expect(ours.filter((line) => !run.has(line))).toEqual([])
  })

  it('may write nothing to the repository, and passes no input to a shell as text', () => {
    expect(Object.entries(permissions).filter(([name, level]) => level === 'write' && name !== 'id-token')).toEqual([])
    expect(commands.filter((line) => line.includes('${{'))).toEqual([])
  })
})
