import { Buffer } from 'node:buffer'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ACCESS_CHECKS } from '../../../../../localstack/commands/check/stage-access.ts'
import {
  connect,
  NoAnswer,
  runCheck,
  type StageCheck,
} from '../../../../../localstack/commands/check/stage-connection.ts'
import { WEBHOOK_CHECKS } from '../../../../../localstack/commands/check/stage-webhooks.ts'
import { localRun } from '../../../../../localstack/local-run.ts'
import { error, type Fault, fakeStage, gateway, STAGE_SECRETS } from '../../../../support/fakes/stage.ts'
import { temporaryFolder } from '../../../../support/stack.ts'

const CHECKS = { ...ACCESS_CHECKS, ...WEBHOOK_CHECKS }

type Name = keyof typeof CHECKS

const NAMES = Object.keys(CHECKS) as Name[]

const world = (fault?: Fault, given: NodeJS.ProcessEnv = STAGE_SECRETS) =>
  connect(new URL('https://stage.example'), given, fakeStage(fault))

const tried = (name: Name, ...given: Parameters<typeof world>) =>
  runCheck(name, CHECKS[name] as StageCheck, world(...given))

const at =
  (path: string | RegExp, change: Partial<ReturnType<typeof gateway>>, method?: string): Fault =>
  (call) =>
    (typeof path === 'string' ? call.path === path : path.test(call.path)) && (!method || call.method === method)
      ? change
      : undefined

const without =
  (path: string, header: string): Fault =>
  (call, { headers = {} }) =>
    call.path === path
      ? { headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== header)) }
      : undefined

const HELLO = '/api/public/hello'

const cookiesWith =
  (text: RegExp): Fault =>
  (_, { cookies }) =>
    cookies && { cookies: cookies.map((cookie) => cookie.replace(text, '')) }

/** What breaks each rule; without a fault every check is ok. */
const FAULTS: Readonly<Record<Name, readonly Fault[]>> = {
  hello: [at(HELLO, { status: 500 }), at(HELLO, { body: 'hello' })],
  'security headers': [at(HELLO, { headers: { 'x-frame-options': 'SAMEORIGIN' } })],
  'unknown path': [
    at(/^\/verify/, gateway(404, 'Not Found')),
    at(/^\/verify/, { status: 200 }),
    at(/^\/verify/, error('ENDPOINT_NOT_FOUND', '/verify/nöthing here')),
  ],
  'wrong method': [at(HELLO, { status: 200 }, 'DELETE'), without(HELLO, 'allow')],
  challenge: [without('/api/auth/info', 'www-authenticate'), at('/api/auth/info', { status: 403 })],
  'bad token': [
    (call) => (call.headers.has('authorization') ? { status: 200 } : undefined),
    (call) => (call.headers.has('authorization') ? error('AUTHENTICATION_REQUIRED', call.path) : undefined),
  ],
  admin: [at('/api/admin/secure', error('ROLE_REQUIRED', '/api/admin/secure'))],
  'role refused': [at('/api/admin/secure', { status: 200 })],
  'foreign origin': [
    at(HELLO, { headers: { 'access-control-allow-origin': '*' } }, 'GET'),
    at(HELLO, { headers: { 'access-control-allow-methods': 'GET' } }, 'OPTIONS'),
  ],
  'OpenAPI document': [at('/openapi.json', { status: 404 }), at('/openapi.json', { body: {} })],
  'login page': [at('/login', { body: '' })],
  console: [at('/assets/a.js', { status: 404 }), at('/console/webhooks', { body: '' })],
  session: [
    cookiesWith(/; HttpOnly/),
    cookiesWith(/; Secure/),
    cookiesWith(/; SameSite=Lax/),
    cookiesWith(/__Host-/),
    cookiesWith(/^JSESSIONID.*/),
    (call) => (call.path === '/logout' && !call.headers.has('x-xsrf-token') ? { status: 302 } : undefined),
    (call) => (call.path === '/api/auth/info' && call.headers.has('cookie') ? { status: 200 } : undefined),
  ],
  webhook: [at(/^\/webhooks/, { status: 500 }), at(/^\/webhooks/, { body: {} })],
  duplicate: [at(/^\/webhooks/, { body: { success: true, message: 'Webhook processed successfully' } })],
  'forged signature': [at(/^\/webhooks/, { status: 200 }), at(/^\/webhooks/, gateway(401, 'Unauthorized'))],
  'escaped id': [at(/%2F/, error('EVENT_NOT_FOUND', '/')), at(/%2F/, { body: { eventId: 'verify-a' } })],
  processed: [at(/^\/api\/webhooks\/events/, { body: { status: 'RECEIVED' } })],
  'largest body': [
    at(/^\/webhooks/, gateway(413, 'Request Entity Too Large')),
    at(/\/payload$/, gateway(500, 'Internal Server Error')),
    (call, { body }) =>
      call.path.endsWith('/payload') && Buffer.isBuffer(body) ? { body: body.subarray(1) } : undefined,
  ],
  'body too large': [at(/^\/webhooks/, { status: 200 }), at(/^\/webhooks/, { status: 500 })],
}

it('on a correct stage every check is ok, and only events are left, each with a name', async () => {
  const stage = world()
  for (const name of NAMES) expect(await runCheck(name, CHECKS[name], stage)).toMatchObject({ level: 'ok' })
  expect(stage.events.size).toBe(5)
  for (const event of stage.events) expect(event).toMatch(/^order-status verify-/)
})

describe.each(Object.entries(FAULTS))('%s', (name, faults) => {
  it.each(faults.map((fault, index) => [index + 1, fault] as const))('fails at fault %i', async (_, fault) => {
    expect(await tried(name as Name, fault)).toMatchObject({ check: name, level: 'fail' })
  })

  it('fails if nothing answers', async () => {
    const silent = () => Promise.reject(new NoAnswer('/', { cause: { code: 'ECONNREFUSED' } }))
    const result = await runCheck(name, CHECKS[name as Name], { ...world(), call: silent })
    expect(result).toMatchObject({ level: 'fail', message: 'No answer to /: ECONNREFUSED' })
  })
})

it.each(['challenge', 'bad token'] as const)(
  'a challenge %s causes a warning if the gateway renames it',
  async (name) => {
    const renamed: Fault = (_, { headers = {} }) => {
      const { 'www-authenticate': challenge, ...others } = headers
      return challenge ? { headers: { ...others, 'x-amzn-remapped-www-authenticate': challenge } } : undefined
    }
    const { level, message } = await tried(name, renamed)
    expect([level, message]).toEqual(['warn', expect.stringContaining('x-amzn-remapped-www-authenticate')])
  },
)

it('an event whose answer is lost may be left, and is named', async () => {
  const closed = () => Promise.reject(new NoAnswer('/', { cause: { code: 'EPIPE' } }))
  const stage = world()
  const { level } = await runCheck('webhook', CHECKS.webhook, { ...stage, call: closed })
  expect([level, stage.events.size]).toEqual(['fail', 1])
})

describe('missing input', () => {
  it.each<[string, readonly Name[]]>([
    ['GATEHOUSE_PLAIN_TOKEN', ['role refused']],
    ['GATEHOUSE_PASSWORD', ['session']],
    [
      'WEBHOOK_SECRETS',
      ['webhook', 'duplicate', 'forged signature', 'escaped id', 'processed', 'largest body', 'body too large'],
    ],
  ])('%s: its checks are skipped with its name', async (missing, names) => {
    for (const name of names) {
      const { level, message } = await tried(name, undefined, { ...STAGE_SECRETS, [missing]: '' })
      expect([level, message]).toEqual(['skipped', expect.stringContaining(missing)])
    }
  })

  it('a token of an admin is not needed with a password', async () => {
    const { GATEHOUSE_USER, GATEHOUSE_PASSWORD, GATEHOUSE_TOKEN: token } = STAGE_SECRETS
    const login = at('/api/auth/login', { status: 200, body: { token } })
    expect((await tried('admin', login, { GATEHOUSE_USER, GATEHOUSE_PASSWORD })).level).toBe('ok')
    expect((await tried('admin', undefined, {})).level).toBe('skipped')
  })

  it('the secrets of a run on this machine are sent to no other machine', async () => {
    const folder = temporaryFolder()
    const WEBHOOK_SECRETS = JSON.parse(STAGE_SECRETS.WEBHOOK_SECRETS)
    writeFileSync(join(folder.path, 'secrets.json'), JSON.stringify({ JWT_KEYS: '', WEBHOOK_SECRETS }))
    const given = { ...STAGE_SECRETS, WEBHOOK_SECRETS: '', DATA_DIR: folder.path }
    const run = localRun(given).webhookSecrets()
    const { level } = await tried('webhook', undefined, given)
    folder.remove()
    expect([run.has('order-status'), level]).toEqual([true, 'skipped'])
  })

  it('a profile without tokens has no check of them', async () => {
    const fault = at(/^\/api\/(ldap|oauth2)/, { status: 404 })
    for (const name of ['bad token', 'role refused'] as const)
      expect(await tried(name, fault)).toMatchObject({
        level: 'skipped',
        message: 'the profile jdbc takes no tokens over HTTP',
      })
  })
})

describe('no result contains a secret, even if the stage returns it', () => {
  const echo: Fault = ({ headers, body }) => ({
    status: 418,
    body: { message: `${[...headers]} ${body.subarray(0, 1000)} ${Object.values(STAGE_SECRETS)}` },
  })
  const echoOfLogin: Fault = (call, answer) => (call.path === '/api/auth/login' ? echo(call, answer) : undefined)

  it.each<[string, Fault, NodeJS.ProcessEnv]>([
    ['in every answer', echo, STAGE_SECRETS],
    ['in that of a login', echoOfLogin, { ...STAGE_SECRETS, GATEHOUSE_TOKEN: '' }],
  ])('%s', async (_, fault, given) => {
    const stage = world(fault, given)
    const results = []
    for (const name of NAMES) results.push(await runCheck(name, CHECKS[name], stage))
    expect(results.find(({ check }) => check === 'admin')?.level).toBe('fail')
    const secrets = Object.entries(STAGE_SECRETS).filter(([name]) => name !== 'GATEHOUSE_USER')
    for (const [, secret] of secrets) expect(JSON.stringify(results)).not.toContain(secret)
  })
})
