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
import { DIST, freshBuild } from '../../infra/builds.ts'
import { DEMO } from '../../lib/runtime/settings/strength.ts'
import { COLD_CALLS, httpEvent } from '../support/cold-calls.ts'
import { LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'
import { loadedAtStart } from '../support/loaded-at-start.ts'
import { type SecretsManager, startSecretsManager } from '../support/secrets-manager.ts'

const bundles: Metafiles = JSON.parse(readFileSync(METAFILES, 'utf8'))
const FUNCTIONS = Object.keys(bundles).flatMap((entry) => /^functions\/(.+)\.ts$/.exec(entry)?.[1] ?? [])
const NO_STORE = ['api/public-hello', 'console/asset', 'docs/openapi', 'fallback']
const BEARER_ONLY = ['api/auth-info', 'api/admin-secure', 'api/user-secure', 'api/oauth2-profile', 'api/oauth2-steps']
const WEBHOOKS = FUNCTIONS.filter((name) => /^webhooks\/(?!challenge)/.test(name))

const outputsOf = (name: string): Metafile['outputs'] => bundles[`functions/${name}.ts`]?.outputs ?? {}
const inputsOf = (name: string) => Object.keys(bundles[`functions/${name}.ts`]?.inputs ?? {})
const startOf = (name: string) => loadedAtStart(bundles, name)

/** What bundles have anything of in them, once unused code is left out. */
const heldBy = ({ outputs }: Pick<Metafile, 'outputs'>) =>
  Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  )

/** The entries of the bundles that have anything of a file in them. */
const holdersOf = (part: string) =>
  Object.entries(bundles).flatMap(([entry, bundle]) =>
    heldBy(bundle).some((file) => file.includes(part)) ? [entry] : [],
  )

/** The functions with files that they should not have, and these. */
const offenders = (names: readonly string[], filesOf: (name: string) => readonly string[], wrong: RegExp) =>
  names.flatMap((name) => filesOf(name).flatMap((file) => (wrong.test(file) ? [`${name}: ${file}`] : [])))

const FOREIGN =
  /^(test|localstack|infra)\/|^lib\/contract\/(?:about|examples|grants|answers\/.+)\.ts$|\/(stripe|fauxqs|zod\/v4\/classic)\//

const SAMPLES = /^lib\/webhooks\/(?:sample|providers\/samples)\.ts$/

/** The only functions that hold the library of decision 53. */
const VERIFIES_PASSKEYS: readonly string[] = ['api/passkeys-create', 'login/passkey']

const CLIENTS = /@aws-sdk|@smithy|node_modules\/(ldapts|openid-client|oauth4webapi)\//

/** The most bytes of an entry: metrics are 16 KB, the change feed and secrets 7, all providers 40, the console 110. */
function mostBytesOf(name: string): number {
  // Nothing that they load later has the store, so it is in their entry.
  if (VERIFIES_PASSKEYS.includes(name)) return 460_000
  if (/^webhooks\/(provider|challenge)$|^jobs\//.test(name)) return 265_000
  if (name.startsWith('webhooks/')) return 211_000
  return [...NO_STORE, ...BEARER_ONLY].includes(name) && name !== 'console/asset' ? 75_000 : 202_000
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
  await freshBuild(DIST)
  expect(statSync(METAFILES).mtimeMs).toBe(before)
})

describe('the code that a function loads', () => {
  it('contains an AWS SDK only if the function needs a store, and before a bearer token is checked no SDK, no LDAP or OpenID client and no schemas', () => {
    expect(FUNCTIONS).toEqual(expect.arrayContaining([...NO_STORE, ...BEARER_ONLY]))
    expect(offenders(NO_STORE, inputsOf, CLIENTS)).toEqual([])
    expect(offenders(BEARER_ONLY, startOf, CLIENTS)).toEqual([])
    expect(offenders(BEARER_ONLY, startOf, /node_modules\/zod\//)).toEqual([])
    const early = [...BEARER_ONLY, 'api/public-hello', 'console/asset', 'fallback']
    expect(offenders(early, startOf, /^imported:(?:node:)?crypto\b/)).toEqual([])
  })

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

  it('contains nothing that only tests, builds, descriptions or local runs need, and no sample of an event', () => {
    const held = (name: string) => heldBy({ outputs: outputsOf(name) })
    expect(offenders(FUNCTIONS, held, FOREIGN)).toEqual([])
    expect(offenders(FUNCTIONS, held, SAMPLES)).toEqual([])
    const codeOf = (name: string) =>
      Object.keys(outputsOf(name)).map((file) => (file.endsWith('.mjs') ? readFileSync(file, 'utf8') : ''))
    // Minified code keeps the names of properties.
    expect(FUNCTIONS.filter((name) => codeOf(name).some((code) => /\bdraft[:(]/.test(code)))).toEqual([])
  })

  it.each([
    ['webhooks/stripe', ['stripe']],
    ['webhooks/github', ['github']],
    ['webhooks/payment', ['generic']],
    ['webhooks/order-status', ['generic']],
  ])('%s contains of all providers %j', (name, providers) => {
    const known = heldBy({ outputs: outputsOf(name) }).filter((file) => file.startsWith('lib/webhooks/providers/'))
    expect([...new Set(known)]).toEqual(providers.map((provider) => `lib/webhooks/providers/${provider}.ts`))
  })

  it('of a webhook loads the client of the queue for an event that failed, and the explanation for a refused call', () => {
    const explanation = 'lib/webhooks/explain/explain.ts'
    expect(WEBHOOKS.filter((name) => !inputsOf(name).includes(explanation))).toEqual([])
    expect(offenders(WEBHOOKS, startOf, /\/client-sqs\/|^lib\/webhooks\/explain\//)).toEqual([])
    const others = FUNCTIONS.filter((name) => !WEBHOOKS.includes(name))
    expect(offenders(others, inputsOf, /refused-call|refusals\/counter|refusal-store/)).toEqual([])
  })

  it('loads the error page only for a browser that receives one, and credential providers only when it needs them', () => {
    const page = 'lib/http/pages/error.ts'
    expect(FUNCTIONS.filter((name) => !name.startsWith('jobs/') && !inputsOf(name).includes(page))).toEqual([])
    expect(FUNCTIONS.filter((name) => startOf(name).includes(page))).toEqual([])
    expect(offenders(FUNCTIONS, startOf, /credential-provider-(ini|sso|process|web)/)).toEqual([])
  })

  it('only webhooks/provider contains the client that fetches keys, and loads it on demand', () => {
    const client = 'lib/adapters/http/key-server.ts'
    expect(FUNCTIONS.filter((name) => inputsOf(name).includes(client))).toEqual(['webhooks/provider'])
    expect(startOf('webhooks/provider')).not.toContain(client)
  })

  it('only the functions that set a password contain the common passwords', () => {
    const setters = ['account-password', 'users-create', 'users-update']
    expect(holdersOf('lib/users/common-passwords.ts')).toEqual(setters.map((name) => `functions/api/${name}.ts`))
  })

  it('only two functions contain the library that verifies passkeys', () => {
    const holding = holdersOf('/@simplewebauthn/')
    expect(holding.toSorted()).toEqual(VERIFIES_PASSKEYS.map((name) => `functions/${name}.ts`))
  })

  it('of an entry is small', () => {
    const bytesOf = (name: string) => outputsOf(name)[`dist/${name}/index.mjs`]?.bytes ?? 0
    expect(FUNCTIONS.filter((name) => bytesOf(name) < 1000 || bytesOf(name) > mostBytesOf(name))).toEqual([])
  })
})

/** Has a fresh process load a function. */
const loaded = (name: string, env: Readonly<Record<string, string>>) => {
  const script = `await import(${JSON.stringify(resolve(`dist/${name}/index.mjs`))})`
  return promisify(execFile)(execPath, ['--input-type=module', '--eval', script], { env })
}

it.each(['webhooks/provider', 'webhooks/challenge'])(
  'a webhook secret that its scheme cannot read stops %s at its start',
  async (name) => {
    const started = loaded(name, { ...LAMBDA_ENVIRONMENT, WEBHOOK_SECRETS: '{"adyen":"no key"}' })
    await expect(started).rejects.toThrow('WEBHOOK_SECRETS: not in the form that its provider uses: adyen')
  },
)

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
    const started = loaded(name, deployed({ ...GOOD, ...secrets }))
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
    const started = loaded('api/admin-secure', deployed(GOOD))
    const { stdout } = await started.catch((error: { stdout: string }) => error)
    aws.fail()
    expect(stdout).toMatch(/"message":"secret cannot be read",.*"secret":"gatehouse\/prod\/tokens"/)
    expect(stdout).toContain('Secrets Manager answered 400 AccessDeniedException')
  })

  it('K02 no function starts with its secrets in the environment', async () => {
    const { SECRETS_PREFIX: _, ...environment } = deployed(GOOD)
    await expect(loaded('api/admin-secure', environment)).rejects.toThrow(
      'SECRETS_PREFIX: must be set on a deployed stage',
    )
  })
})
