import { spawnSync } from 'node:child_process'
import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd } from 'node:process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { copyProject } from '../support/copy-project.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../support/stack.ts'

const FUNCTION = 'functions/api/public-hello.ts'
const LIBRARY = 'lib/auth/principal.ts'

const copy = temporaryFolder()
let stack: Stack
let offset: number
let cloud: readonly number[]

beforeAll(async () => {
  copyProject(cwd(), copy.path)
  run('git', 'init', '--quiet')
  run('git', 'add', 'functions', 'lib', 'web')
  run('git', '-c', 'user.name=Developer', '-c', 'user.email=developer@example.org', 'commit', '--quiet', '-m', 'start')
  offset = await freeOffset()
  const environment = { PORT_OFFSET: String(offset), DATA_DIR: 'memory' }
  stack = await startStack(environment, ['env', '-C', copy.path], ['--dev'])
  cloud = cloudOf(stack)
}, 240_000)

afterAll(async () => {
  await stack?.stop()
  copy.remove()
})

/** The processes that a change of the product leaves alone. */
function cloudOf({ parts }: Stack): readonly number[] {
  const kept = /serverless\.js|dynoxide serve|DynamoDBLocal|emulators\/sqs\.ts/
  return parts().flatMap(({ pid, command }) => (kept.test(command) ? [pid] : []))
}

function run(command: string, ...parameters: readonly string[]): void {
  const { status, stderr } = spawnSync(command, parameters, { cwd: copy.path, encoding: 'utf8' })
  expect(status, stderr).toBe(0)
}

const at = (file: string) => join(copy.path, file)

/** Saves as most editors do: a new file takes the place of the old one. */
function save(file: string, content: string): void {
  writeFileSync(at(`${file}.new`), content)
  renameSync(at(`${file}.new`), at(file))
}

/** What the project has at a file, with one text replaced. */
function changed(file: string, text: string, replacement: string): string {
  const content = readFileSync(file, 'utf8')
  expect(content.split(text), file).toHaveLength(2)
  return content.replace(text, () => replacement)
}

const mend = (file: string) => save(file, readFileSync(file, 'utf8'))
const greeting = (text: string) => changed(LIBRARY, 'Hello, world!', text)

async function hello() {
  const response = await fetch(`${stack.ready.http}/api/public/hello`)
  return { status: response.status, body: await response.json() }
}

const becomes = <T>(what: () => Promise<T>) => expect.poll(what, { interval: 50, timeout: 60_000 })
const helloBecomes = (body: object) => becomes(hello).toMatchObject({ status: 200, body })

describe('the new code answers', () => {
  it('after each of ten atomic saves of two files', async () => {
    for (let count = 1; count <= 5; count++) {
      save(LIBRARY, greeting(`Save ${count}`))
      await helloBecomes({ message: expect.stringContaining(`Save ${count} (`) })
      save(FUNCTION, changed(FUNCTION, 'ok(greetAnybody())', `ok({ ...greetAnybody(), count: ${count} })`))
      await helloBecomes({ count })
    }
  })

  it('after a write into the file', async () => {
    writeFileSync(at(LIBRARY), greeting('Written').replace('return { message:', 'return { texts, message:'))
    appendFileSync(at(LIBRARY), "const texts = ['one']\n")
    await helloBecomes({ texts: ['one'] })
    appendFileSync(at(LIBRARY), "texts.push('two')\n")
    await helloBecomes({ texts: ['one', 'two'] })
  })

  it('after a checkout', async () => {
    run('git', 'checkout', '--quiet', '--', LIBRARY, FUNCTION)
    await becomes(hello).toEqual({
      status: 200,
      body: { message: 'Hello, world! (public endpoint - no authentication required)' },
    })
  })

  it('when it is a webhook', async () => {
    const file = 'lib/http/webhook-call.ts'
    const body = { eventId: 'dev', transactionId: 't', orderId: 'o', status: 'FAILED', currency: 'EUR' }
    const request = { method: 'POST', body: JSON.stringify(body) }
    const post = async () => (await fetch(`${stack.ready.http}/webhooks/payment`, request)).json()
    expect(await post()).toMatchObject({ message: 'Webhook processed successfully' })
    save(file, changed(file, 'Duplicate event ignored', 'Seen before'))
    await becomes(post).toMatchObject({ message: 'Seen before' })
  })

  it('when it is a job', async () => {
    const file = 'functions/jobs/retry-scan.ts'
    const invoke = async () => {
      const url = `http://127.0.0.1:${3005 + offset}/2015-03-31/functions/gatehouse-local-retryScan/invocations`
      return (await fetch(url, { method: 'POST', body: '{}' })).json()
    }
    expect(await invoke()).not.toHaveProperty('saved')
    save(file, changed(file, 'onSchedule(conclude, scanAll)', 'async () => ({ saved: true })'))
    await becomes(invoke).toEqual({ saved: true })
  })

  it('when it is a page of the console, and the file that it loads', async () => {
    const styleSheet = async () => {
      const page = await (await fetch(`${stack.ready.http}/login`)).text()
      const [, path = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? []
      return { path, content: await (await fetch(`${stack.ready.http}${path}`)).text() }
    }
    const before = await styleSheet()
    expect(before.content).not.toContain('.saved')
    save('web/style.css', `${readFileSync('web/style.css', 'utf8')}\n.saved { color: red }\n`)
    await becomes(async () => (await styleSheet()).content).toContain('.saved')
    expect((await styleSheet()).path).not.toBe(before.path)
  })
})

describe('while sources cannot be built, the code before them answers,', () => {
  const told = (text: string) => vi.waitUntil(() => stack.complaints().some((line) => line.includes(text)), 20_000)

  it('and the terminal shows file, line and column, once', async () => {
    save(LIBRARY, greeting('Before'))
    await helloBecomes({ message: expect.stringContaining('Before (') })
    save(LIBRARY, `${greeting('Broken')}const = 1\n`)
    const line = readFileSync(LIBRARY, 'utf8').split('\n').length
    const message = `${LIBRARY}:${line}:6: Expected identifier but found "="`
    await told(message)
    save(FUNCTION, `${readFileSync(FUNCTION, 'utf8')}\n`)
    expect(await hello()).toMatchObject({ status: 200, body: { message: expect.stringContaining('Before (') } })
    save(LIBRARY, greeting('After'))
    await helloBecomes({ message: expect.stringContaining('After (') })
    expect(stack.complaints().filter((complaint) => complaint === message)).toHaveLength(1)
  })

  it('until a file is mended that no earlier build contained', async () => {
    save('lib/auth/new.ts', 'export const = 1\n')
    save(LIBRARY, `import { added } from './new.ts'\n${greeting('$' + '{added}').replace(/'(.*added.*)'/, '`$1`')}`)
    await told('lib/auth/new.ts:1:13: ')
    save('lib/auth/new.ts', "export const added = 'New'\n")
    await helloBecomes({ message: expect.stringContaining('New (') })
    mend(LIBRARY)
    await helloBecomes({ message: expect.stringContaining('Hello, world! (') })
  })

  it('until a wrong configuration is mended', async () => {
    save('gatehouse.config.ts', 'export default { sources: 7 }\n')
    await told('gatehouse.config.ts')
    expect(await hello()).toMatchObject({ status: 200, body: { message: expect.stringContaining('Hello, world! (') } })
    rmSync(at('gatehouse.config.ts'))
    mend(LIBRARY)
    await helloBecomes({ message: expect.stringContaining('Hello, world! (') })
  })
})

it('code that fails as it is loaded is a failure of its function, until it is mended', async () => {
  save(FUNCTION, `${readFileSync(FUNCTION, 'utf8')}throw new Error('not today')\n`)
  await becomes(hello).toMatchObject({ status: 503 })
  mend(FUNCTION)
  await becomes(hello).toMatchObject({ status: 200 })
})

describe('the process of the channels', () => {
  const file = 'lib/stomp/connect.ts'
  const text = 'Supported protocol versions are'

  /** What it says to a client of another version; undefined if nobody answers. */
  async function refusal(): Promise<string | undefined> {
    const socket = new WebSocket(stack.ready.ws, ['v12.stomp'])
    const { promise, resolve } = Promise.withResolvers<string | undefined>()
    socket.onerror = () => resolve(undefined)
    socket.onopen = () => socket.send('CONNECT\naccept-version:9\nhost:127.0.0.1\n\n\0')
    socket.onmessage = ({ data }) => resolve(String(data))
    return promise.finally(() => socket.close())
  }
  const answers = (expected: string) =>
    vi.waitUntil(async () => (await refusal())?.includes(expected), { timeout: 60_000 })

  it('starts again when one of its sources was saved', async () => {
    await answers(text)
    save(file, changed(file, text, 'Versions are'))
    await answers('Versions are')
  })
})

describe('the run', () => {
  it('reports once for each change of its own code that it needs a restart', async () => {
    const asked = (changed: string) =>
      stack.complaints().filter((line) => line.includes(changed) && line.includes('restart `npx gatehouse dev`'))
    for (const file of ['serverless.yml', 'infra/resources/tables.yml', 'localstack/settings.ts']) {
      appendFileSync(at(file), '\n')
      await vi.waitUntil(() => asked(file).length > 0, { timeout: 60_000 })
    }
    expect(asked('serverless.yml')).toHaveLength(1)
  })

  it('has kept its cloud through all reloads', () => {
    expect(cloud).toHaveLength(3)
    expect(cloudOf(stack)).toEqual(cloud)
  })
})
