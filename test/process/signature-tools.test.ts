import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { command, type Ended } from '../support/command.ts'
import { temporaryFolder } from '../support/stack.ts'
import published from '../vectors/webhook-signatures.json' with { type: 'json' }

const folder = temporaryFolder()
afterAll(folder.remove)

/** For the commands of the running test. */
let settings: Readonly<Record<string, string>> = {}

beforeEach(() => {
  settings = {}
})

function run(name: string, ...args: readonly string[]): Promise<Ended> {
  return command(name, args, { DATA_DIR: folder.path, ...settings })
}

function saved(name: string, content: unknown): string {
  const file = join(folder.path, name)
  writeFileSync(file, JSON.stringify(content))
  return file
}

describe('npx gatehouse vectors', () => {
  const FILE = 'test/vectors/webhook-signatures.json'

  it('names the vectors with another verdict, and fails', async () => {
    const [first, second] = published.vectors
    const file = saved('wrong.json', {
      vectors: [
        { ...first, expected: 'invalid' },
        { ...second, secret: 'another secret' },
      ],
    })
    expect(await run('vectors', FILE, file)).toEqual({
      code: 1,
      stdout: `${first?.id}: accepted, expected invalid\n${second?.id}: refused (wrong-signature), expected valid\n${published.vectors.length} passed, 2 failed\n`,
      stderr: '',
    })
  })

  it.each([
    ['no file', [], 'Name a file of vectors (npx gatehouse vectors --help shows more)\n'],
    ['a missing file', ['missing.json'], 'missing.json: cannot be read\n'],
  ])('names the fault of %s', async (_, args, message) => {
    const { code, stdout, stderr } = await run('vectors', ...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(message)
    expect(stderr).not.toContain('    at ')
  })
})

describe('npx gatehouse explain', () => {
  const [vector] = published.vectors
  const request = () => saved('request.json', vector)
  const at = ['--at', String(vector?.now)]

  it('states that a call is accepted', async () => {
    settings = { WEBHOOK_SECRETS: JSON.stringify({ stripe: vector?.secret }) }
    const accepted = { code: 0, stdout: 'accepted: It is accepted as a call of stripe.\n', stderr: '' }
    expect(await run('explain', 'stripe', request(), ...at)).toEqual(accepted)
    expect(await run('explain', 'Stripe', request(), '--at', '2025-10-09T10:53:20+02:00')).toEqual(accepted)
  })

  it('states why a call is refused now', async () => {
    settings = { WEBHOOK_SECRETS: JSON.stringify({ stripe: vector?.secret }) }
    const { code, stdout } = await run('explain', 'stripe', request())
    expect(code).toBe(1)
    expect(stdout).toMatch(/^too-old: It was signed \d+ s ago; 300 s are allowed\.\n$/)
  })

  it('uses the secrets of the data folder, and the request as it was received', async () => {
    const wanted = createHmac('sha256', 'kept secret').update('{"a":1}').digest('hex')
    saved('secrets.json', { JWT_KEYS: '', WEBHOOK_SECRETS: { payment: 'kept secret' } })
    const file = join(folder.path, 'request.http')
    writeFileSync(file, `POST /webhooks/payment HTTP/1.1\r\nX-Signature: ${wanted}\r\n\r\n{"a":1}\r\n`)
    expect(await run('explain', 'payment', file)).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^body-last-line: The signature fits another form of the call: .*\.\n$/),
      stderr: '',
    })
  })

  it.each([
    ['no file', ['stripe'], 'Name a provider and a file'],
    ['three names', ['stripe', 'a', 'b'], 'Name a provider and a file'],
    ['a name with a slip, before the file', ['strip', 'README.md'], 'There is no provider strip: did you mean stripe?'],
    ['an invalid time', ['stripe', 'a', '--at', 'soon'], '--at must be a time of ISO 8601, or seconds since the epoch'],
  ])('names the fault in one line: %s', async (_, args, problem) => {
    const stderr = `${problem} (npx gatehouse explain --help shows more)\n`
    expect(await run('explain', ...args)).toEqual({ code: 2, stdout: '', stderr })
  })

  it('names the wrong settings in one line', async () => {
    settings = { WEBHOOK_SECRETS: '{', PORT_OFFSET: 'x' }
    const stderr = 'Wrong settings: PORT_OFFSET: must be a whole number; WEBHOOK_SECRETS: must be a JSON object\n'
    expect(await run('explain', 'stripe', request())).toEqual({ code: 2, stdout: '', stderr })
  })
})
