import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { PROFILES, type Profile } from '../../lib/auth/profile.ts'
import { apiClient } from '../../localstack/api-client.ts'
import { screenOf } from '../../localstack/screen.ts'
import { command } from '../../test/support/command.ts'
import { forwardSink, listening } from '../../test/support/listening.ts'
import { freeOffset, localEnvironment, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

const NAMES = Object.keys(PROFILES) as Profile[]

/** What a shell says of an answer that is none of 2xx or 3xx. */
const FAILING_CURL = 'curl() { command curl --fail-with-body -sS "$@"; }'

describe.each(NAMES)('in the profile %s', (profile) => {
  const folder = temporaryFolder()
  let stack: Stack
  /** That of another terminal, which knows where the service is, but not its profile. */
  let elsewhere: Record<string, string>

  beforeAll(async () => {
    elsewhere = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: folder.path }
    stack = await startStack({ ...elsewhere, PROFILE: profile })
  })

  afterAll(async () => {
    await stack.stop()
    folder.remove()
  })

  const inBash = (script: string) =>
    promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env: localEnvironment(elsewhere) })

  it('each command on the screen works when it is pasted into a shell', async () => {
    const [, shown = ''] = /^Try$(.*)^Ctrl-C stops$/ms.exec(screenOf(stack.ready, '')) ?? []
    const lines = shown.split('\n').filter((line) => line.trim() !== '')
    const commands = lines.filter((line) => !line.startsWith('  Open '))
    const { stdout } = await inBash([FAILING_CURL, ...commands].join('\n'))
    expect(stdout).toContain('Hello, world!')
    expect(stdout.includes('Hello, Admin!')).toBe(PROFILES[profile].bearer || PROFILES[profile].basic)
    expect(stdout).toContain('1 sent, 1 answered as expected')
  })

  it('each address on the screen leads to a page, here or at the provider', async () => {
    const opened = [...screenOf(stack.ready, '').matchAll(/^ {2}Open (\S+) in a browser$/gm)].map(
      ([, page = '']) => page,
    )
    for (const page of opened) {
      const { status, headers } = await fetch(page, { redirect: 'manual' })
      const isAtProvider = headers.get('location')?.startsWith(`${stack.ready.idp?.google}/`)
      expect(status, page).toBe(isAtProvider ? 302 : 200)
    }
  })

  it('the demo admin operates from another terminal', async () => {
    await inBash('npm run send -- stripe payment_intent.succeeded')
    const run = (name: string, ...args: string[]) => command(name, args, elsewhere)
    const said = (stdout: string) => ({ code: 0, stderr: '', stdout: expect.stringContaining(stdout) })
    expect(await run('replay', '--source', 'stripe', '--dry-run')).toEqual(said('0 events match'))
    expect(await run('replay', '--source', 'stripe', '--id', profile)).toEqual(said(`${profile} is done: 0 processed`))
    expect(await run('replay', '--list')).toEqual(said(profile))
    expect(await run('forget', '--text', 'cus_demo', '--delete')).toMatchObject({ code: 0 })
    expect(await run('seed', '--events', '5')).toMatchObject({ code: 0 })
    expect(await run('doctor')).toMatchObject({ code: 0 })
  })

  it.each([
    ['the stream', []],
    ['the list', ['--poll']],
  ])('the demo admin listens, from %s', async (_, how) => {
    const sink = await forwardSink()
    const listener = await listening(['--forward-to', sink.url, ...how], elsewhere)
    try {
      expect(listener.complaints).toEqual([])
      await inBash('npm run send -- github push')
      await vi.waitUntil(() => sink.calls.length > 0, { timeout: 60_000, interval: 50 })
      expect(sink.calls[0]?.headers['gatehouse-event']).toEqual(expect.any(String))
    } finally {
      listener.signal('SIGINT')
      expect(await listener.ended).toBe(0)
      sink.close()
    }
  })

  it('a new user of the database logs in only in a profile that checks the database', async () => {
    const user = { username: 'ada', password: 'correct horse', role: 'ROLE_USER' }
    const { http } = stack.ready
    const admin = apiClient(new URL(http), 'demo admin')
    const answer = z.object({ id: z.string(), username: z.string(), role: z.string() })
    expect(await admin.post('/api/users', user, answer)).toMatchObject({ username: 'ada', role: 'ROLE_USER' })
    const isAsked = PROFILES[profile].stores.some((store) => store === 'database')
    const login = await fetch(`${http}/api/auth/login`, { method: 'POST', body: new URLSearchParams(user) })
    expect(login.status).toBe(isAsked ? 200 : 401)
  })

  it('a named user operates with GATEHOUSE_PASSWORD, and a wrong password is refused with a message', async () => {
    const username = stack.ready.users.find(({ role }) => role === 'ROLE_ADMIN')?.username ?? ''
    const dryRun = (password: string) =>
      command('replay', ['--user', username, '--source', 'stripe', '--dry-run'], {
        ...elsewhere,
        GATEHOUSE_PASSWORD: password,
      })
    expect(await dryRun(`${username}-demo`)).toMatchObject({ code: 0 })
    expect(await dryRun('wrong')).toMatchObject({
      code: 1,
      stderr: 'The service answers 401: Invalid username or password\n',
    })
  })
})
