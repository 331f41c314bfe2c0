import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import type { Metafile } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'
import { METAFILES, type Metafiles } from '../../infra/build.ts'
import { freshBundles } from '../../localstack/bundles.ts'
import { LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'

let bundles: Metafiles

beforeAll(async () => {
  await freshBundles()
  bundles = JSON.parse(readFileSync(METAFILES, 'utf8'))
})

const NO_STORE = ['api/public-hello', 'console/asset', 'docs/openapi', 'docs/page', 'docs/asset', 'fallback']
const BEARER_ONLY = ['api/auth-info', 'api/admin-secure', 'api/user-secure', 'api/oauth2-profile', 'api/oauth2-steps']
const WITH_STORE = [
  'api/auth-login',
  'api/jdbc-users',
  'api/ldap-users',
  'api/users-create',
  'api/users-delete',
  'api/webhook-events',
  'api/webhook-event',
  'api/webhook-event-retry',
  'api/replays-create',
  'api/replay',
  'console/page',
  'login/form',
  'login/home',
  'login/logout',
  'login/page',
  'login/oauth2-start',
  'login/oauth2-callback',
  'webhooks/payment',
  'webhooks/order-status',
  'webhooks/stripe',
  'webhooks/github',
  'webhooks/provider',
  'webhooks/challenge',
  'jobs/retry-event',
  'jobs/retry-scan',
  'jobs/replay-step',
]

function outputsOf(name: string): Metafile['outputs'] {
  return bundles[`functions/${name}.ts`]?.outputs ?? {}
}

const CLIENTS = /@aws-sdk|@smithy|node_modules\/(ldapts|openid-client|oauth4webapi)\//

/** The source files in what a function loads when it starts: its entry and the chunks that it imports at once. */
function loadedAtStart(name: string): readonly string[] {
  const outputs = outputsOf(name)
  const pending = [`dist/${name}/index.mjs`]
  const seen = new Set<string>()
  for (const path of pending) {
    if (seen.has(path)) continue
    seen.add(path)
    const statics = outputs[path]?.imports.filter(({ kind }) => kind === 'import-statement') ?? []
    pending.push(...statics.map((imported) => imported.path))
  }
  return [...seen].flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
}

/** Functions that write metrics (16 KB) and publish to the change feed (20 KB). */
function isReporting(name: string): boolean {
  return /^(webhooks|jobs)\//.test(name)
}

/** Functions that know every provider (25 KB). */
function isForAnyProvider(name: string): boolean {
  return /^webhooks\/(provider|challenge)$|^jobs\//.test(name)
}

/** The function that has all of the console's files in it, compressed. */
function holdsConsole(name: string): boolean {
  return name === 'console/asset'
}

function bytesAtStart(name: string): number {
  return outputsOf(name)[`dist/${name}/index.mjs`]?.bytes ?? 0
}

/** Names of modules that a fresh process has loaded after it ran a function once, and how the run ended. */
async function coldRun(name: string, event: object): Promise<{ modules: readonly string[]; result: unknown }> {
  const script = `
    const { handler } = await import(${JSON.stringify(resolve(`dist/${name}/index.mjs`))})
    const result = await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 5000 }).catch(String)
    process.stdout.write('\\n' + JSON.stringify({ modules: process.moduleLoadList, result }))`
  const { stdout } = await promisify(execFile)(execPath, ['--input-type=module', '--eval', script], {
    env: LAMBDA_ENVIRONMENT,
    maxBuffer: 1e7,
  })
  return JSON.parse(stdout.split('\n').at(-1) ?? '')
}

function httpEvent(method: string, rawPath: string, body = '', headers = {}) {
  return {
    rawPath,
    rawQueryString: '',
    headers,
    body,
    requestContext: { requestId: '1', http: { method, sourceIp: '127.0.0.1' } },
  }
}

const PAYMENT = '{"transactionId":"t","orderId":"o","status":"COMPLETED","currency":"EUR","amount":1}'
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

const COLD_RUNS: readonly [string, object][] = [
  ['api/public-hello', httpEvent('GET', '/api/public/hello')],
  ['api/admin-secure', httpEvent('GET', '/api/admin/secure', '', { authorization: 'Bearer a.b.c' })],
  ['api/auth-info', httpEvent('GET', '/api/auth/info')],
  ['api/user-secure', httpEvent('GET', '/api/user/secure')],
  ['api/oauth2-steps', httpEvent('GET', '/api/oauth2/steps')],
  ['fallback', httpEvent('GET', '/nothing')],
  ['docs/openapi', httpEvent('GET', '/openapi.json')],
  ['docs/page', httpEvent('GET', '/docs')],
  ['docs/asset', httpEvent('GET', '/docs/swagger-ui.css')],
  ['api/jdbc-users', httpEvent('GET', '/api/jdbc/users', '', { authorization: 'Basic YTpi' })],
  ['api/users-create', httpEvent('POST', '/api/users', '{}', { 'content-type': 'application/json' })],
  ['login/page', httpEvent('GET', '/login')],
  ['console/page', httpEvent('GET', '/console/token')],
  ['console/asset', httpEvent('GET', '/assets/nothing')],
  ['login/oauth2-start', httpEvent('GET', '/oauth2/authorization/google')],
  ['login/oauth2-callback', httpEvent('GET', '/login/oauth2/code/google')],
  ['login/form', httpEvent('POST', '/login', 'username=a&password=b', FORM)],
  ['api/auth-login', httpEvent('POST', '/api/auth/login', 'username=a&password=b', FORM)],
  ['api/webhook-events', httpEvent('GET', '/api/webhooks/events')],
  ['api/webhook-event', httpEvent('GET', '/api/webhooks/events/a/b')],
  ['api/webhook-event-retry', httpEvent('POST', '/api/webhooks/events/a/b/retry')],
  ['api/replays-create', httpEvent('POST', '/api/webhooks/replays')],
  ['api/replay', httpEvent('GET', '/api/webhooks/replays/a')],
  ['webhooks/payment', httpEvent('POST', '/webhooks/payment', PAYMENT)],
  ['webhooks/order-status', httpEvent('POST', '/webhooks/order-status', '{}')],
  ['webhooks/stripe', httpEvent('POST', '/webhooks/stripe', '{}')],
  ['webhooks/github', httpEvent('POST', '/webhooks/github', '{}')],
  ['webhooks/provider', httpEvent('POST', '/webhooks/demo', '{}')],
  ['webhooks/challenge', httpEvent('GET', '/webhooks/dropbox')],
  ['jobs/retry-event', { Records: [{ messageId: '1', body: '{"source":"payment","eventId":"e","n":0}' }] }],
  ['jobs/retry-scan', {}],
  ['jobs/replay-step', { Records: [{ messageId: '1', body: '{"replayId":"r","step":0}' }] }],
]

describe('what a function loads', () => {
  it.each(NO_STORE)('%s holds no AWS SDK at all', (name) => {
    const { inputs = {} } = bundles[`functions/${name}.ts`] ?? {}
    expect(Object.keys(inputs).filter((file) => CLIENTS.test(file))).toEqual([])
  })

  it.each(BEARER_ONLY)('%s loads no AWS SDK, LDAP or OpenID client before Basic or a session asks for one', (name) => {
    expect(loadedAtStart(name).length).toBeGreaterThan(10)
    expect(loadedAtStart(name).filter((file) => CLIENTS.test(file))).toEqual([])
  })

  it.each([...NO_STORE, ...BEARER_ONLY, ...WITH_STORE])(
    '%s holds nothing that only tests, builds or local runs need',
    (name) => {
      const { inputs = {} } = bundles[`functions/${name}.ts`] ?? {}
      const foreign = Object.keys(inputs).filter((file) =>
        /^(test|localstack|infra)\/|\/(stripe|fauxqs|zod\/v4\/classic)\//.test(file),
      )
      expect(foreign).toEqual([])
    },
  )

  it.each(WITH_STORE)('%s loads credential providers only when it needs them', (name) => {
    expect(loadedAtStart(name).filter((file) => /credential-provider-(ini|sso|process|web)/.test(file))).toEqual([])
  })

  it.each([
    ...[...NO_STORE, ...BEARER_ONLY].map((name) => [name, holdsConsole(name) ? 200_000 : 75_000] as const),
    ...WITH_STORE.map((name) => [name, isReporting(name) ? 220_000 : 190_000] as const).map(
      ([name, limit]) => [name, isForAnyProvider(name) ? limit + 25_000 : limit] as const,
    ),
  ])('the entry of %s has at most %d bytes', (name, limit) => {
    expect(bytesAtStart(name)).toBeGreaterThan(1000)
    expect(bytesAtStart(name)).toBeLessThanOrEqual(limit)
  })
})

describe('a webhook secret that its scheme cannot read', () => {
  it.each(['webhooks/provider', 'webhooks/challenge'])('stops %s at its start', async (name) => {
    const options = { env: { ...LAMBDA_ENVIRONMENT, WEBHOOK_SECRETS: '{"adyen":"no key"}' } }
    const script = `await import(${JSON.stringify(resolve(`dist/${name}/index.mjs`))})`
    const started = promisify(execFile)(execPath, ['--input-type=module', '--eval', script], options)
    await expect(started).rejects.toThrow('WEBHOOK_SECRETS: not in the form that its provider uses: adyen')
  })
})

describe('no function loads undici at cold start', () => {
  it.each(COLD_RUNS)('%s', async (name, event) => {
    const { modules, result } = await coldRun(name, event)
    expect(result, 'the function ran').toBeTruthy()
    expect(modules.filter((module) => module.includes('undici'))).toEqual([])
  })
})
