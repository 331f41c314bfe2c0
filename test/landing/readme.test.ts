import { type ChildProcessByStdio, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { delimiter, resolve } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { payment } from '../support/events.ts'
import { SHORT_CUTS } from '../support/short-cuts.ts'
import { freeOffset, localEnvironment, temporaryFolder } from '../support/stack.ts'

/** The ports of a page are those of a run without an offset. */
const offset = await freeOffset()
const data = temporaryFolder()
const environment = localEnvironment({
  PORT_OFFSET: String(offset),
  DATA_DIR: data.path,
  PATH: [resolve('node_modules/.bin'), process.env['PATH'], resolve('quality/node_modules/.bin')].join(delimiter),
})

function pageOf(file: string): string {
  return readFileSync(file, 'utf8').replaceAll(/127\.0\.0\.1:(\d+)/g, (_, port) => `127.0.0.1:${Number(port) + offset}`)
}

const FIRST_WEBHOOK = 'docs/guide/first-webhook.md'

interface Example {
  readonly commands: string
  /** The answers that the page shows, line by line; none where it shows none. */
  readonly answers: readonly string[]
}

/** What is run elsewhere, or by nobody, is marked so: "sh (against a stand-in)", "sh (not run here)". */
function examplesOf(file: string): readonly Example[] {
  const blocks = pageOf(file).matchAll(/^```sh\n(.*?)^```(?:\n```(?:json|text)\n(.*?)^```)?/gms)
  return [...blocks].map(([, commands = '', answers = '']) => ({ commands, answers: linesOf(answers) }))
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '')
}

const PAGES = ['README.md', FIRST_WEBHOOK, 'docs/guide/scripts.md', ...globSync('docs/*.md').sort()].filter(
  (file) => examplesOf(file).length > 0,
)

/** What differs from run to run. */
const VARYING = /^(timestamp|receivedAt|processedAt|updatedAt|at|id|user-agent|sessionExpiresAt|signedAt|messageId)$/
const TIME = /\d{4}-\d\d-\d\dT[\d:.]+Z?|[\d.]+(?= m?s\b)/g

/** The end of a line within an answer that a tool spreads over several. */
const PRETTY = /\n(?=[ }])/g

function stable(line: string): unknown {
  if (!line.startsWith('{')) return line.trim().replaceAll(TIME, '…')
  return JSON.parse(line, (key, value) => (VARYING.test(key) ? typeof value : value))
}

/** Runs the commands of a page in one shell; what each of its examples printed. */
async function run(examples: readonly Example[]): Promise<readonly (readonly string[])[]> {
  const blocks = examples.map(({ commands }) => commands.replaceAll(/^(curl .*)$/gm, '$1; echo'))
  const script = `set -euo pipefail\n${SHORT_CUTS}\nset -x\n${blocks.join("printf '\\0'\n")}`
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env: environment })
  return stdout.split('\0').map((output) => linesOf(output.replaceAll(PRETTY, '')))
}

const screen: string[] = []
let service: ChildProcessByStdio<null, Readable, null>

beforeAll(async () => {
  service = spawn(execPath, ['localstack/start.ts'], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  })
  for await (const line of createInterface({ input: service.stdout })) {
    screen.push(line)
    if (line === 'Ctrl-C stops') break
  }
})

afterAll(async () => {
  process.kill(-(service.pid ?? 0), 'SIGINT')
  await once(service, 'exit')
  data.remove()
})

describe.concurrent('every command of the pages does what the pages say', () => {
  it.each(PAGES)('%s', async (file) => {
    const examples = examplesOf(file)
    const outputs = await run(examples)
    for (const [index, { commands, answers }] of examples.entries()) {
      const lines = outputs[index] ?? []
      expect(lines.length, commands).toBeGreaterThan(0)
      if (answers.length > 0) expect(lines.map(stable), commands).toEqual(answers.map(stable))
    }
  })

  it('npm start shows what the guide shows', () => {
    const [, shown = ''] = /^\$ npm start\n(.*?)^```/ms.exec(pageOf(FIRST_WEBHOOK)) ?? []
    const here = shown
      .replaceAll('/home/you/gatehouse/.data', data.path)
      .replaceAll('  npx gatehouse', `  PORT_OFFSET=${offset} npx gatehouse`)
    expect(linesOf(screen.join('\n'))).toEqual(linesOf(here))
  })

  it('the STOMP client receives an incoming webhook', async () => {
    const page = pageOf('docs/channels.md')
    const [, code = ''] = /```js\n(.*?)```/s.exec(page) ?? []
    const { stdout: token } = await promisify(execFile)(execPath, ['localstack/commands/token.ts', 'admin'], {
      env: environment,
    })
    const client = spawn(execPath, ['--input-type=module', '-e', code], {
      env: { ...environment, TOKEN: token.trim() },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const line = once(createInterface({ input: client.stdout }), 'line', { signal: AbortSignal.timeout(30_000) })
    const address = `http://127.0.0.1:${3000 + offset}/webhooks/payment`
    const send = () => fetch(address, { method: 'POST', body: JSON.stringify(payment()) })
    const sending = setInterval(send, 500)
    try {
      expect(String((await line)[0])).toMatch(/^\S+ \S+ [A-Z]+$/)
    } finally {
      clearInterval(sending)
      client.kill()
    }
  })
})
