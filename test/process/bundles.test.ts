import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { execPath } from 'node:process'
import { promisify } from 'node:util'
import type { Metafile } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METAFILES, type Metafiles } from '../../infra/build.ts'
import { DEMO } from '../../lib/runtime/settings/strength.ts'
import { freshBundles } from '../../localstack/bundles.ts'
import { COLD_CALLS, httpEvent } from '../support/cold-calls.ts'
import { LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'
import { loadedAtStart } from '../support/loaded-at-start.ts'
import { type SecretsManager, startSecretsManager } from '../support/secrets-manager.ts'

let bundles: Metafiles

beforeAll(() => {
  bundles = JSON.parse(readFileSync(METAFILES, 'utf8'))
})

const NO_STORE = ['api/public-hello', 'console/asset', 'docs/openapi', 'fallback']
const BEARER_ONLY = ['api/auth-info', 'api/admin-secure', 'api/user-secure', 'api/oauth2-profile', 'api/oauth2-steps']
const WITH_STORE = [
  'api/auth-login',
  'api/audit-trail',
  'api/jdbc-users',
  'api/ldap-users',
  'api/users-create',
  'api/users',
  'api/user',
  'api/users-update',
  'api/users-delete',
  'api/user-sessions',
  'api/user-sessions-delete',
  'api/account-password',
  'api/account-sessions',
  'api/account-sessions-delete',
  'api/live-ticket',
  'api/passkey-registration-options',
  'api/passkeys',
  'api/passkeys-create',
  'api/passkeys-delete',
  'api/messages-create',
  'api/webhook-events',
  'api/webhook-event',
  'api/webhook-event-payload',
  'api/webhook-event-retry',
  'api/webhook-refusals',
  'api/replays-create',
  'api/replay',
  'console/page',
  'docs/page',
  'login/form',
  'login/home',
  'login/logout',
  'login/page',
  'login/passkey',
  'login/passkey-options',
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

/** The entries of the bundles that have anything of a file in them. */
function holdersOf(part: string): readonly string[] {
  const holds = ({ outputs }: Metafile) =>
    Object.values(outputs)
      .flatMap(({ inputs }) => Object.entries(inputs))
      .some(([file, { bytesInOutput }]) => bytesInOutput > 0 && file.includes(part))
  return Object.entries(bundles).flatMap(([entry, bundle]) => (holds(bundle) ? [entry] : []))
}

const FOREIGN =
  /^(test|localstack|infra)\/|^lib\/endpoints\/(abouts?|examples|sample-requests?)\.ts$|^lib\/contract\/(error-)?schemas\.ts$|\/(stripe|fauxqs|zod\/v4\/classic)\//

/** The only functions that hold the library of decision 53. */
const VERIFIES_PASSKEYS: readonly string[] = ['api/passkeys-create', 'login/passkey']

const CLIENTS = /@aws-sdk|@smithy|node_modules\/(ldapts|openid-client|oauth4webapi)\//

/** The verifiers of every provider, and the library that verifies passkeys. */
function extraOf(name: string): number {
  if (isForAnyProvider(name)) return 54_000
  return VERIFIES_PASSKEYS.includes(name) ? 176_000 : 0
}

/** Functions that write metrics (16 KB), publish to the change feed and read secrets (7 KB). */
function isReporting(name: string): boolean {
  return /^(webhooks|jobs)\//.test(name)
}

/** Functions that know every provider (40 KB). */
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
async function coldRun(
  name: string,
  event: object,
  environment: Readonly<Record<string, string>> = LAMBDA_ENVIRONMENT,
): Promise<{ modules: readonly string[]; result: unknown }> {
  const script = `
    const { handler } = await import(${JSON.stringify(resolve(`dist/${name}/index.mjs`))})
    const result = await handler(${JSON.stringify(event)}, { getRemainingTimeInMillis: () => 5000 }).catch(String)
    process.stdout.write('\\n' + JSON.stringify({ modules: process.moduleLoadList, result }))`
  const { stdout } = await promisify(execFile)(execPath, ['--input-type=module', '--eval', script], {
    env: environment,
    maxBuffer: 1e7,
  })
  return JSON.parse(stdout.split('\n').at(-1) ?? '')
}

it('bundles are not built again when nothing has changed', async () => {
  const before = statSync(METAFILES).mtimeMs
  await freshBundles()
  expect(statSync(METAFILES).mtimeMs).toBe(before)
})

describe('the code that a function loads', () => {
  it.each(NO_STORE)('%s contains no AWS SDK', (name) => {
    const { inputs = {} } = bundles[`functions/${name}.ts`] ?? {}
    expect(Object.keys(inputs).filter((file) => CLIENTS.test(file))).toEqual([])
  })

  it.each(BEARER_ONLY)('%s loads no AWS SDK, LDAP or OpenID client before Basic or a session requires one', (name) => {
    expect(loadedAtStart(bundles, name).length).toBeGreaterThan(10)
    expect(loadedAtStart(bundles, name).filter((file) => CLIENTS.test(file))).toEqual([])
  })

  it.each(BEARER_ONLY)('%s reads its settings without the validation schemas of bodies', (name) => {
    expect(loadedAtStart(bundles, name).filter((file) => file.includes('node_modules/zod/'))).toEqual([])
  })

  it.each([...BEARER_ONLY, 'api/public-hello', 'console/asset', 'fallback'])(
    '%s loads node:crypto only when a call needs it',
    (name) => {
      expect(loadedAtStart(bundles, name).filter((file) => /^imported:(?:node:)?crypto\b/.test(file))).toEqual([])
    },
  )

  it.each(BEARER_ONLY)('%s imports exactly the files of its description by esbuild', (name) => {
    const code = readFileSync(`dist/${name}/index.mjs`, 'utf8')
    const imported = Array.from(
      code.matchAll(/(?:^|;)import[^"(]*"\.\/([^"]+)"/g),
      ([, file]) => `dist/${name}/${file}`,
    )
    const { imports = [] } = outputsOf(name)[`dist/${name}/index.mjs`] ?? {}
    expect(imported.sort()).toEqual(
      imports.flatMap(({ path, kind }) => (kind === 'import-statement' ? path : [])).sort(),
    )
  })

  it.each([...NO_STORE, ...BEARER_ONLY, ...WITH_STORE])(
    '%s contains nothing that only tests, builds, descriptions or local runs need',
    (name) => {
      const held = Object.values(outputsOf(name)).flatMap(({ inputs }) => Object.entries(inputs))
      const foreign = held.filter(([file, { bytesInOutput }]) => bytesInOutput > 0 && FOREIGN.test(file))
      expect(foreign).toEqual([])
    },
  )

  it.each(WITH_STORE)('%s contains no sample of a provider’s events', (name) => {
    const files = Object.entries(outputsOf(name)).filter(([file]) => file.endsWith('.mjs'))
    const held = files.flatMap(([, { inputs }]) => Object.entries(inputs).filter(([, use]) => use.bytesInOutput > 0))
    expect(held.filter(([file]) => /^lib\/webhooks\/(?:sample|providers\/samples)\.ts$/.test(file))).toEqual([])
    // Minified code keeps the names of properties.
    expect(files.filter(([file]) => /\bdraft[:(]/.test(readFileSync(file, 'utf8')))).toEqual([])
  })

  it.each([
    ['webhooks/stripe', ['stripe']],
    ['webhooks/github', ['github']],
    ['webhooks/payment', []],
    ['webhooks/order-status', []],
  ])('%s contains of all providers %j', (name, providers) => {
    const { inputs = {} } = bundles[`functions/${name}.ts`] ?? {}
    const known = Object.keys(inputs).filter((file) => file.startsWith('lib/webhooks/providers/'))
    expect(known).toEqual(providers.map((provider) => `lib/webhooks/providers/${provider}.ts`))
  })

  it.each(WITH_STORE.filter((name) => name.startsWith('webhooks/')))(
    '%s loads the client of the queue only for an event that has failed',
    (name) => {
      expect(loadedAtStart(bundles, name).filter((file) => file.includes('/client-sqs/'))).toEqual([])
    },
  )

  it.each(WITH_STORE.filter((name) => /^webhooks\/(?!challenge)/.test(name)))(
    '%s loads the explanation of a refusal only for a refused call',
    (name) => {
      const { inputs = {} } = bundles[`functions/${name}.ts`] ?? {}
      expect(Object.keys(inputs)).toContain('lib/webhooks/explain/explain.ts')
      expect(loadedAtStart(bundles, name).filter((file) => file.startsWith('lib/webhooks/explain/'))).toEqual([])
    },
  )

  it.each([...NO_STORE, ...BEARER_ONLY, ...WITH_STORE.filter((name) => /^(?!webhooks\/(?!challenge))/.test(name))])(
    '%s counts no refusals',
    (name) => {
      const { inputs = {} } = bundles[`functions/${name}.ts`] ?? {}
      expect(Object.keys(inputs).filter((file) => /refused-call|refusals\/counter|refusal-store/.test(file))).toEqual(
        [],
      )
    },
  )

  it.each([...NO_STORE, ...BEARER_ONLY, ...WITH_STORE.filter((name) => !name.startsWith('jobs/'))])(
    '%s loads the error page only for a browser that receives one',
    (name) => {
      const { inputs = {} } = bundles[`functions/${name}.ts`] ?? {}
      expect(Object.keys(inputs)).toContain('lib/http/pages/error.ts')
      expect(loadedAtStart(bundles, name)).not.toContain('lib/http/pages/error.ts')
    },
  )

  it('only webhooks/provider contains the client that fetches keys, and loads it on demand', () => {
    const client = 'lib/adapters/http/key-server.ts'
    const holders = WITH_STORE.filter((name) => client in (bundles[`functions/${name}.ts`]?.inputs ?? {}))
    expect(holders).toEqual(['webhooks/provider'])
    expect(loadedAtStart(bundles, 'webhooks/provider')).not.toContain(client)
  })

  it('only the functions that set a password contain the common passwords', () => {
    const setters = ['account-password', 'users-create', 'users-update']
    expect(holdersOf('lib/users/common-passwords.ts')).toEqual(setters.map((name) => `functions/api/${name}.ts`))
  })

  it('only two functions contain the library that verifies passkeys', () => {
    const holding = holdersOf('/@simplewebauthn/')
    expect(holding.toSorted()).toEqual(VERIFIES_PASSKEYS.map((name) => `functions/${name}.ts`))
  })

  it.each(WITH_STORE)('%s loads credential providers only when it needs them', (name) => {
    expect(
      loadedAtStart(bundles, name).filter((file) => /credential-provider-(ini|sso|process|web)/.test(file)),
    ).toEqual([])
  })

  it.each([
    ...[...NO_STORE, ...BEARER_ONLY].map((name) => [name, holdsConsole(name) ? 200_000 : 75_000] as const),
    ...WITH_STORE.map((name) => [name, isReporting(name) ? 211_000 : 196_000] as const).map(
      ([name, limit]) => [name, limit + extraOf(name)] as const,
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

/** What functions read of the secrets of a stage at a cold start; there, too, they load no undici. */
const READ_WHEN_DEPLOYED: readonly (readonly [string, readonly string[]])[] = [
  ['api/public-hello', []],
  ['api/admin-secure', ['tokens']],
  ['console/page', []],
  ['docs/page', []],
  ['login/page', []],
  ['login/oauth2-start', ['oauth2']],
  ['login/oauth2-callback', ['oauth2']],
  ['webhooks/stripe', ['webhooks']],
  ['webhooks/provider', ['webhooks']],
  ['api/jdbc-users', []],
  ['api/ldap-users', ['directory']],
  ['jobs/retry-event', []],
  ['jobs/retry-scan', []],
  ['jobs/replay-step', []],
  ['api/webhook-event-retry', ['tokens']],
]

describe('no function loads undici at cold start', () => {
  const deployed = READ_WHEN_DEPLOYED.map(([name]) => name)

  it.each(COLD_CALLS.filter(([name]) => !deployed.includes(name)))('%s', async (name, event) => {
    const { modules, result } = await coldRun(name, event)
    expect(result, 'the function ran').toBeTruthy()
    expect(modules.filter((module) => module.includes('undici'))).toEqual([])
  })
})

it('storing a webhook loads no web streams for the answers of AWS', async () => {
  const aws = createServer((_, answer) => answer.end('{}')).listen(0, '127.0.0.1')
  await once(aws, 'listening')
  const { port } = aws.address() as AddressInfo
  const environment = { ...LAMBDA_ENVIRONMENT, AWS_ENDPOINT_URL: `http://127.0.0.1:${port}` }
  const [, event = {}] = COLD_CALLS.find(([name]) => name === 'webhooks/payment') ?? []
  const { modules, result } = await coldRun('webhooks/payment', event, environment)
  aws.close()
  expect(result).toMatchObject({ statusCode: 200 })
  expect(modules.filter((module) => module.includes('webstreams'))).toEqual([])
})

describe('on a deployed stage', () => {
  let aws: SecretsManager
  beforeAll(async () => {
    aws = await startSecretsManager()
  })
  afterAll(() => aws.stop())

  const random = () => randomBytes(24).toString('base64url')
  const GOOD: Readonly<Record<string, object>> = {
    tokens: { JWT_KEYS: `first:${randomBytes(64).toString('base64url')}` },
    webhooks: { WEBHOOK_SECRETS: { stripe: random(), demo: [random(), { value: random() }] } },
    oauth2: { OAUTH2_GITHUB_CLIENT_SECRET: random() },
    directory: { LDAP_BIND_DN: 'cn=gatehouse,dc=example', LDAP_BIND_PASSWORD: random() },
  }

  function deployed(secrets: Readonly<Record<string, object | undefined>>) {
    for (const [name, value] of Object.entries(secrets)) {
      if (value === undefined) aws.remove(`gatehouse/prod/${name}`)
      else aws.put(`gatehouse/prod/${name}`, value)
    }
    return {
      ...LAMBDA_ENVIRONMENT,
      STAGE: 'prod',
      SECRETS_PREFIX: 'gatehouse/prod',
      AWS_ENDPOINT_URL_SECRETS_MANAGER: aws.url,
      OAUTH2_GITHUB_CLIENT_ID: 'client',
      LDAP_URL: 'ldaps://127.0.0.1:9',
      LDAP_BASE: 'dc=example',
    }
  }

  it.each(READ_WHEN_DEPLOYED)('%s reads only %j, without undici', async (name, secrets) => {
    const [, event = {}] = COLD_CALLS.find(([other]) => other === name) ?? []
    const before = aws.asked.length
    const environment = deployed(GOOD)
    const { modules } = await coldRun(
      name,
      name === 'api/ldap-users' ? httpEvent('GET', '/api/ldap/users') : event,
      environment,
    )
    expect(aws.asked.slice(before).sort()).toEqual(secrets.map((secret) => `gatehouse/prod/${secret}`))
    expect(modules.filter((module) => module.includes('undici'))).toEqual([])
  })

  it('no secret is read for providers without a client', async () => {
    const before = aws.asked.length
    const { OAUTH2_GITHUB_CLIENT_ID: _, ...environment } = deployed(GOOD)
    await coldRun('login/oauth2-start', httpEvent('GET', '/oauth2/authorization/google'), environment)
    expect(aws.asked.slice(before)).toEqual([])
  })

  const DEMO_ACCOUNT = { LDAP_BIND_DN: 'cn=x', LDAP_BIND_PASSWORD: DEMO.bindPassword }

  it.each([
    ['api/admin-secure', { tokens: undefined }, 'JWT_KEYS: must be set'],
    ['login/logout', { tokens: { JWT_KEYS: 'a:c2hvcnQ' } }, 'JWT_KEYS: key 1 must have at least 64 bytes'],
    ['webhooks/stripe', { webhooks: undefined }, 'WEBHOOK_SECRETS: must be set on a deployed stage'],
    [
      'webhooks/github',
      { webhooks: { WEBHOOK_SECRETS: { a: 'c2hvcnQ' } } },
      'WEBHOOK_SECRETS: a must have at least 12',
    ],
    ['login/oauth2-callback', { oauth2: {} }, 'OAUTH2_GITHUB_CLIENT_SECRET: must be set, because'],
    ['api/ldap-users', { directory: DEMO_ACCOUNT }, 'LDAP_BIND_PASSWORD: must not be an example'],
  ])('%s does not start with %j', async (name, secrets, problem) => {
    const script = `await import(${JSON.stringify(resolve(`dist/${name}/index.mjs`))})`
    const options = { env: deployed({ ...GOOD, ...secrets }) }
    const started = promisify(execFile)(execPath, ['--input-type=module', '--eval', script], options)
    const { stderr } = await started.then(() => ({ stderr: '' })).catch((error: { stderr: string }) => error)
    const title = `Wrong settings, with the secret gatehouse/prod/${Object.keys(secrets)[0]}:`
    // Before it Node shows the line of the bundle, which holds the examples that are refused.
    const [, said] = stderr.split(title)
    expect(said).toContain(`\n  ${problem}`)
    expect(said).not.toMatch(/c2hvcnQ/)
    expect(said).not.toContain(DEMO.bindPassword)
  })

  it('K06 no function starts while its secret cannot be read, and the error names the reason', async () => {
    aws.fail([400, '{"__type":"AccessDeniedException"}'])
    const script = `await import(${JSON.stringify(resolve('dist/api/admin-secure/index.mjs'))})`
    const started = promisify(execFile)(execPath, ['--input-type=module', '--eval', script], { env: deployed(GOOD) })
    const { stdout } = await started.catch((error: { stdout: string }) => error)
    aws.fail()
    expect(stdout).toMatch(/"message":"secret cannot be read",.*"secret":"gatehouse\/prod\/tokens"/)
    expect(stdout).toContain('Secrets Manager answered 400 AccessDeniedException')
  })

  it('K02 no function starts with its secrets in the environment', async () => {
    const { SECRETS_PREFIX: _, ...environment } = deployed(GOOD)
    const script = `await import(${JSON.stringify(resolve('dist/api/admin-secure/index.mjs'))})`
    const started = promisify(execFile)(execPath, ['--input-type=module', '--eval', script], { env: environment })
    await expect(started).rejects.toThrow('SECRETS_PREFIX: must be set on a deployed stage')
  })
})
