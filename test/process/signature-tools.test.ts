import { execFile } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { localEnvironment, temporaryFolder } from '../support/stack.ts'
import published from '../vectors/webhook-signatures.json' with { type: 'json' }

const folder = temporaryFolder()
afterAll(folder.remove)

/** For the commands of the running test. */
let settings: Readonly<Record<string, string>> = {}

beforeEach(() => {
  settings = {}
})

interface Run {
  readonly code: number
  readonly out: string
  readonly err: string
}

function run(command: string, ...args: readonly string[]): Promise<Run> {
  const options = { encoding: 'utf8', env: localEnvironment({ DATA_DIR: folder.path, ...settings }) } as const
  return new Promise((resolve) => {
    execFile(execPath, [`localstack/${command}.ts`, ...args], options, (error, out, err) => {
      resolve({ code: error ? Number(error.code) : 0, out, err })
    })
  })
}

function saved(name: string, content: unknown): string {
  const file = join(folder.path, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

describe('npm run vectors', () => {
  const FILE = 'test/vectors/webhook-signatures.json'

  it('passes every published vector', async () => {
    expect(await run('vectors', FILE)).toEqual({ code: 0, out: '225 passed, 0 failed\n', err: '' })
  })

  it('names the vectors that are judged otherwise, and fails', async () => {
    const [first, second] = published.vectors
    const file = saved('wrong.json', {
      vectors: [
        { ...first, expected: 'invalid' },
        { ...second, secret: 'another secret' },
      ],
    })
    expect(await run('vectors', FILE, file)).toEqual({
      code: 1,
      out: `${first?.id}: accepted, expected invalid\n${second?.id}: refused (wrong-signature), expected valid\n225 passed, 2 failed\n`,
      err: '',
    })
  })

  it.each([
    ['no file', [], 'npm run vectors -- FILE…'],
    ['an option', ['--help'], 'npm run vectors -- FILE…'],
    ['a file that is not there', ['missing.json'], 'missing.json: cannot be read\n'],
    ['a file of another kind', ['README.md'], 'README.md: is no JSON\n'],
    ['a file of another shape', ['package.json'], 'package.json: vectors: '],
  ])('says what is wrong with %s', async (_, args, message) => {
    const { code, out, err } = await run('vectors', ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(message)
    expect(err).not.toContain('    at ')
  })
})

describe('npm run explain', () => {
  const [vector] = published.vectors
  const request = () => saved('request.json', vector)
  const at = ['--at', String(vector?.now)]

  it('says that a call is accepted', async () => {
    settings = { WEBHOOK_SECRETS: JSON.stringify({ stripe: vector?.secret }) }
    const accepted = { code: 0, out: 'accepted: It is accepted as a call of stripe.\n', err: '' }
    expect(await run('explain', 'stripe', request(), ...at)).toEqual(accepted)
    expect(await run('explain', 'Stripe', request(), '--at', '2025-10-09T10:53:20+02:00')).toEqual(accepted)
  })

  it('says why a call is refused now', async () => {
    settings = { WEBHOOK_SECRETS: JSON.stringify({ stripe: vector?.secret }) }
    const { code, out } = await run('explain', 'stripe', request())
    expect(code).toBe(1)
    expect(out).toMatch(/^too-old: It was signed \d+ s ago; 300 s are allowed\.\n$/)
  })

  it('counts the configured tolerance', async () => {
    settings = { WEBHOOK_SECRETS: JSON.stringify({ stripe: vector?.secret }), WEBHOOK_TOLERANCE_SECONDS: '7' }
    const { out } = await run('explain', 'stripe', request(), '--at', String((vector?.now ?? 0) + 8))
    expect(out).toBe('too-old: It was signed 8 s ago; 7 s are allowed.\n')
  })

  it('knows the secrets of the data folder, and the request as it came over the wire', async () => {
    const wanted = createHmac('sha256', 'kept secret').update('{"a":1}').digest('hex')
    saved('secrets.json', { JWT_KEYS: '', WEBHOOK_SECRETS: { payment: 'kept secret' } })
    const file = join(folder.path, 'request.http')
    writeFileSync(file, `POST /webhooks/payment HTTP/1.1\r\nX-Signature: ${wanted}\r\n\r\n{"a":1}\r\n`)
    expect(await run('explain', 'payment', file)).toEqual({
      code: 1,
      out: expect.stringMatching(/^body-last-line: The signature fits another form of the call: .*\.\n$/),
      err: '',
    })
  })

  it.each([
    ['no arguments', []],
    ['no file', ['stripe']],
    ['three names', ['stripe', 'a', 'b']],
    ['an unknown option', ['stripe', 'a', '--secret=x']],
    ['a time that is none', ['stripe', 'a', '--at', 'soon']],
    ['a time that is missing', ['stripe', 'a', '--at']],
    ['a question', ['--help']],
  ])('shows its usage with %s', async (_, args) => {
    const { code, out, err } = await run('explain', ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('npm run explain -- <provider> <file>')
  })

  it.each(['missing.http', 'package.json'])('says that a file is no request: %s', async (file) => {
    const { code, out, err } = await run('explain', 'stripe', file)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^(missing\.http: cannot be read|package\.json: is no request, .*)\n$/)
  })
})
