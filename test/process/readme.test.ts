import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

const SECTIONS = readFileSync('README.md', 'utf8')
  .split('\n## ')
  .filter((section) => /^(Try it|Ways in|gRPC)\n/.test(section))
  .join('\n')

interface Example {
  readonly commands: string
  /** The answers that the README shows, line by line; none where it shows none. */
  readonly answers: readonly string[]
}

const EXAMPLES: readonly Example[] = [...SECTIONS.matchAll(/```sh\n(.*?)```(?:\n```json\n(.*?)```)?/gs)].map(
  ([, commands = '', answers = '']) => ({ commands, answers: answers.split('\n').filter((line) => line !== '') }),
)

/** What differs from run to run. */
const VARYING = /^(timestamp|receivedAt|processedAt|at|id|user-agent|sessionExpiresAt)$/

/** The end of a line within an answer that a tool spreads over several. */
const PRETTY = /\n(?=[ }])/g

function stable(line: string): unknown {
  return JSON.parse(line, (key, value) => (VARYING.test(key) ? typeof value : value))
}

const data = temporaryFolder()
let stack: Stack
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  const local = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: data.path }
  stack = await startStack(local)
  environment = localEnvironment({ ...local, PATH: `${dirname(execPath)}:${process.env['PATH']}` })
})

afterAll(async () => {
  await stack.stop()
  data.remove()
})

describe('every command of the README does what it says', () => {
  let previous = ''

  it.each(EXAMPLES.map((example) => [example.commands.trim().split('\n')[0] ?? '', example] as const))(
    '%s',
    async (_, { commands, answers }) => {
      const here = commands
        .replaceAll('http://127.0.0.1:3000', stack.ready.http)
        .replaceAll('127.0.0.1:5051', stack.ready.grpc)
      const assignments = previous.match(/^TOKEN=.*$/gm)?.join('\n') ?? ''
      const script = `set -euo pipefail\n${assignments}\n${here.replaceAll(/^(curl .*)$/gm, '$1; echo')}`
      previous += here
      const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: environment })
      const lines = stdout
        .replaceAll(PRETTY, '')
        .split('\n')
        .filter((line) => line !== '')
      expect(lines.length).toBeGreaterThan(0)
      if (answers.length > 0) expect(lines.map(stable)).toEqual(answers.map(stable))
    },
  )

  it('there is something to try', () => {
    expect(EXAMPLES.length).toBeGreaterThan(4)
  })
})
