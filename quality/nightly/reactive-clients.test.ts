import { spawnSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'
import { type BasicCall, callsTakingBasic, TAKING_BASIC } from '../../test/support/taking-basic.ts'

interface Login {
  readonly username: string
  readonly password: string
}

/** What a client answers, call by call. */
type Client = (calls: readonly BasicCall[], login: Login) => readonly number[]

const HELPERS = 'quality/nightly/clients'

/** A program that is started once, and prints a line for each line that it is given. */
const program =
  (command: string, ...args: readonly string[]): Client =>
  (calls, { username, password }) => {
    const input = calls.map(({ method, address }) => `${method} ${address}\n`).join('')
    const { stdout, stderr } = spawnSync(command, [...args, username, password], { input, encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout.trim().split('\n').map(Number)
  }

/** A program that is started for each call, and prints the status last. */
const each =
  (command: string, args: (call: BasicCall, login: Login) => readonly string[]): Client =>
  (calls, login) =>
    calls.map((call) => {
      const { stdout, stderr } = spawnSync(command, args(call, login), { encoding: 'utf8' })
      return Number(/(?:HTTP\/1.1 |^)(\d{3})\b(?![\s\S]*HTTP\/1.1 )/m.exec(`${stdout}${stderr}`)?.[1])
    })

/** Programs that send a password only once the service asks for it. */
const CLIENTS: Readonly<Record<string, Client>> = {
  'wget --user --password': each('wget', ({ method, address }, { username, password }) => [
    ...['-q', '-O', '/dev/null', '--server-response', '--tries=1', `--method=${method}`],
    ...[`--user=${username}`, `--password=${password}`, address],
  ]),
  'curl --anyauth': each('curl', ({ method, address }, { username, password }) => [
    ...['-s', '-o', '/dev/null', '-w', '%{http_code}', '-X', method, '--anyauth'],
    ...['-u', `${username}:${password}`, address],
  ]),
  'Java HttpClient': program('java', `${HELPERS}/Reactive.java`, 'HttpClient'),
  'Java HttpURLConnection': program('java', `${HELPERS}/Reactive.java`, 'HttpURLConnection'),
  'Python urllib': program('python3', `${HELPERS}/reactive.py`),
  'Perl LWP': program('perl', `${HELPERS}/reactive.pl`),
}

/** A method that the client does not know (JDK-7016595). */
const UNKNOWN: Readonly<Record<string, string>> = { 'Java HttpURLConnection': 'PATCH' }

/** What says that a client is on this machine. */
const PROBES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  wget: ['wget', '--version'],
  curl: ['curl', '--version'],
  Java: ['java', '-version'],
  Python: ['python3', '--version'],
  Perl: ['perl', '-MLWP', '-e', '1'],
}

function isThere(name: string): boolean {
  const [command = '', ...args] = PROBES[name.split(' ')[0] ?? ''] ?? []
  return spawnSync(command, args).status === 0
}

describe.each(TAKING_BASIC)('http-25 in the profile %s, with a password of %s', (profile, kept) => {
  const folder = temporaryFolder()
  let stack: Stack
  let login: Login
  let calls: readonly BasicCall[]
  /** With the password sent at once. */
  let granted: Map<BasicCall, number>

  beforeAll(async () => {
    const settings = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: folder.path, PROFILE: profile }
    stack = await startStack(settings)
    const { http, users } = stack.ready
    const admin = users.find(({ role, store }) => role === 'ROLE_ADMIN' && store === kept)
    if (!admin) throw new Error(`no admin in ${profile}`)
    login = admin
    const authorization = `Basic ${Buffer.from(`${admin.username}:${admin.password}`).toString('base64')}`
    calls = callsTakingBasic(profile, kept, http)
    granted = new Map()
    // One after the other: attempts count while they are under way.
    for (const call of calls) {
      const { status } = await fetch(call.address, { method: call.method, headers: { authorization } })
      granted.set(call, status)
    }
  })

  afterAll(async () => {
    await stack?.stop()
    folder.remove()
  })

  it('every endpoint that takes HTTP Basic lets in who sends the password at once', () => {
    expect(calls.length).toBeGreaterThan(30)
    const refused = [...granted].filter(([, status]) => [401, 429].includes(status) || status >= 500)
    expect(refused).toEqual([])
  })

  for (const [name, client] of Object.entries(CLIENTS)) {
    it.skipIf(!isThere(name))(`${name} logs in at each of them`, () => {
      const sent = calls.filter(({ method }) => method !== UNKNOWN[name])
      const answers = client(sent, login)
      expect(sent.map((call, index) => [call, answers[index]])).toEqual(sent.map((call) => [call, granted.get(call)]))
    })
  }
})
