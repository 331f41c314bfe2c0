import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

const README = readFileSync('README.md', 'utf8')

const SECTIONS = README.split('\n## ')
  .filter((section) => /^(Try it|Command line|Ways in|gRPC)\n/.test(section))
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

  it('the STOMP client watches a webhook come in', async () => {
    const [, code = ''] = /```js\n(.*?)```/s.exec(README) ?? []
    const { users, ws } = stack.ready
    const [admin] = users
    const login = new URLSearchParams({ username: admin?.username ?? '', password: admin?.password ?? '' })
    const answer = await fetch(`${stack.ready.http}/api/auth/login`, { method: 'POST', body: login })
    const { token } = (await answer.json()) as { token: string }
    const script = code.replace('ws://127.0.0.1:3001/ws', ws ?? '')
    const client = spawn(execPath, ['--input-type=module', '-e', script], {
      env: { ...environment, TOKEN: token },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const line = once(createInterface({ input: client.stdout }), 'line', { signal: AbortSignal.timeout(30_000) })
    const sending = setInterval(
      () => execFile('npm', ['run', 'send', '--', 'payment', 'COMPLETED'], { env: environment }),
      3000,
    )
    try {
      expect(String((await line)[0])).toMatch(/^payment \S+ PROCESSED$/)
    } finally {
      clearInterval(sending)
      client.kill()
    }
  })

  it('there is something to try', () => {
    expect(EXAMPLES.length).toBeGreaterThan(4)
  })
})
