import { readFileSync } from 'node:fs'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { makeUserSessions } from '../../../lib/app/account.ts'
import { makeAccountStates } from '../../../lib/app/account-states.ts'
import { databaseOf } from '../../../lib/app/basic.ts'
import { makeDeliveryScan } from '../../../lib/app/deliveries.ts'
import { makeDestinationDeliveries, makeDestinations, makeRedelivery } from '../../../lib/app/deliveries-desk.ts'
import { makeDestinationTest } from '../../../lib/app/destination-test.ts'
import { makePublic } from '../../../lib/app/edge.ts'
import { makeChallenges } from '../../../lib/app/intake.ts'
import { makeFormLogin, makeTokenLogin } from '../../../lib/app/login.ts'
import { makeReplays } from '../../../lib/app/operate.ts'
import { makePages } from '../../../lib/app/pages.ts'
import { makePasskeyStart } from '../../../lib/app/passkeys.ts'
import { policyOf } from '../../../lib/app/processing.ts'
import { teamSources } from '../../../lib/app/sources.ts'
import { passwordStores } from '../../../lib/app/stores.ts'
import { team } from '../../../lib/app/team.ts'
import { makeUserList, makeUsers } from '../../../lib/app/users.ts'
import { checkedConfig } from '../../../lib/deliver/configured/read.ts'
import type { Team } from '../../../lib/deliver/handler-file.ts'
import { type Environment, loadConfig } from '../../../lib/runtime/config.ts'
import { retrySettings } from '../../../lib/runtime/settings/retry.ts'
import { NO_LIMIT } from '../../../lib/webhooks/rate/limiter.ts'
import { KNOWN } from '../../../lib/webhooks/sources/catalog.ts'
import { ENVIRONMENT } from '../../support/composers.ts'
import { START } from '../../support/fakes/clock.ts'
import { OUTDATED_HASH } from '../../support/fakes/users.ts'

const intake = async (environment: Environment) => (await makeChallenges(KNOWN, environment)).intake
const hasNoLimit = async (environment: Environment) => (await intake(environment)).limiter === NO_LIMIT
const proofOf = (source: string) => async (environment: Environment) => (await intake(environment)).proofOf(source)
const sessions = (environment: Environment) => makeFormLogin(environment).sessions
const site = (environment: Environment) => makePages(environment, '{}').site
const policy = (environment: Environment) => policyOf(loadConfig(retrySettings, [], environment))
const startPlus = (seconds: number) => new Date(START.getTime() + seconds * 1000)

async function tokenSeconds(environment: Environment): Promise<number> {
  const { tokens } = await makeTokenLogin(environment)
  const [, payload = ''] = (await tokens.issue('ada', 'ROLE_USER')).split('.')
  const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return exp - iat
}

const LOOKS = { createdAt: START, lastSeenAt: START }
const mayDelete = ({ permits }: Pick<Awaited<ReturnType<typeof makeUsers>>, 'permits'>) =>
  permits(['ROLE_USER'], { name: 'DELETE', on: 'User' })
const GRANTS = JSON.stringify({ ROLE_USER: { User: ['DELETE'] } })

type Row = readonly [
  setting: string,
  value: string | undefined,
  use: string,
  seen: (environment: Environment) => unknown,
  expected: unknown,
]

const ROWS: readonly Row[] = [
  ['SESSION_IDLE_SECONDS', '60', 'the end of an idle session', (e) => sessions(e).expiresAt(LOOKS), startPlus(60)],
  ['SESSION_MAX_SECONDS', '7200', 'the end of a used session', (e) => sessions(e).latestEnd(LOOKS), startPlus(7200)],
  ['JWT_LIFETIME_SECONDS', '120', 'a token', tokenSeconds, 120],
  ['WEBHOOK_MAX_BODY_BYTES', '5000', 'the intake', async (e) => (await intake(e)).maxBodyBytes, 5000],
  ['WEBHOOK_TOLERANCE_SECONDS', '60', 'the intake', async (e) => (await intake(e)).toleranceSeconds, 60],
  ['WEBHOOK_PAYMENT_SIGNATURE', 'required', 'a local run', proofOf('payment'), 'required'],
  ['WEBHOOK_SECURITY_ENABLED', 'false', 'proofs', proofOf('stripe'), 'unchecked'],
  ['WEBHOOK_SECURITY_ENABLED', 'false', 'the limit of calls', hasNoLimit, true],
  ['WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE', '0', 'the limit of calls', hasNoLimit, true],
  ['WEBHOOK_RETRY_MAX_ATTEMPTS', '7', 'retries', (e) => policy(e).maxAttempts, 7],
  ['WEBHOOK_RETRY_DELAY_MINUTES', '1,2.5', 'retries', (e) => policy(e).delays, [60_000, 150_000]],
  ['WEBHOOK_RETRY_SCAN_INTERVAL_MS', '1000', 'retries', (e) => policy(e).scanInterval, 1000],
  ['TRUSTED_ORIGINS', 'https://a.example', 'endpoints', (e) => makePublic(e).trustedOrigins, ['https://a.example']],
  ['TRUSTED_PROXIES', '10.0.0.0/8', 'endpoints', (e) => makePublic(e).trustedProxies.has('10.1.2.3'), true],
  ['TRUSTED_PROXIES', '10.0.0.0/8', 'the intake', async (e) => (await intake(e)).trustedProxies.has('10.1.2.3'), true],
  ['PROFILE', 'jwt', 'endpoints', (e) => makePublic(e).profile, 'jwt'],
  ['PROFILE', 'jdbc', 'the stores of passwords', passwordStores, ['database']],
  ['LDAP_URL', undefined, 'the stores of passwords', passwordStores, ['database']],
  ['PASSKEYS', 'off', 'passkeys', (e) => makePasskeyStart(e).isOff, true],
  ['PASSKEYS', 'off', 'the console', (e) => site(e).passkeys, 'off'],
  ['ROLE_PERMISSIONS', GRANTS, 'users', async (e) => mayDelete(await makeUsers(e)), true],
  ['ROLE_PERMISSIONS', GRANTS, 'lists', async (e) => mayDelete(await makeUserList(e)), true],
  ['ROLE_PERMISSIONS', GRANTS, 'logins', async (e) => mayDelete(await makeUserSessions(e)), true],
  ['ROLE_PERMISSIONS', GRANTS, 'the console', (e) => site(e).permissions, { ROLE_USER: { User: ['DELETE'] } }],
  ['STOMP_URL', 'wss://live.example/ws', 'the console', (e) => site(e).stompUrl?.href, 'wss://live.example/ws'],
  ['GRPC_URL', 'https://grpc.example', 'the console', (e) => site(e).grpcUrl?.href, 'https://grpc.example/'],
]

it.each(ROWS)('%s=%s decides on %s', async (setting, value, _, seen, expected) => {
  expect(await seen(ENVIRONMENT)).not.toEqual(expected)
  expect(await seen({ ...ENVIRONMENT, [setting]: value })).toEqual(expected)
})

it.each(['retryEvent', 'replayStep'])('the lease of a run is longer than %s may run', (name) => {
  const { functions } = parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' }) as {
    readonly functions: Readonly<Record<string, { readonly timeout: number }>>
  }
  expect(policy(ENVIRONMENT).lease).toBeGreaterThan((functions[name]?.timeout ?? Number.NaN) * 1000)
})

describe('with a store', () => {
  const ROWS_STORED = new Map<unknown, object>([
    ['NAME#ada', { uid: 'NAME#ada', id: 'a' }],
    ['a', { uid: 'a', name: 'ada', passwordHash: OUTDATED_HASH, roles: ['ROLE_USER'], enabled: true, createdAt: 5 }],
  ])

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: START })
    vi.spyOn(DynamoDBDocumentClient.prototype, 'send').mockImplementation(async ({ input }) => {
      const { Key } = input as { readonly Key?: Readonly<Record<string, unknown>> }
      return { Item: ROWS_STORED.get(Key?.['uid']) }
    })
  })
  afterEach(() => {
    vi.useRealTimers()
    vi.restoreAllMocks()
  })

  it.each([0, 20])('BASIC_CACHE_SECONDS: a right password is known for %i seconds', async (seconds) => {
    const accounts = databaseOf({ ...ENVIRONMENT, BASIC_CACHE_SECONDS: String(seconds) })
    expect(await accounts.check('ada', 'correct horse')).toMatchObject({ uid: 'a' })
    const isKnown = async () => (await accounts.recall?.('ada', 'correct horse')) !== undefined
    vi.setSystemTime(startPlus(seconds - 1))
    expect(await isKnown()).toBe(seconds > 0)
    vi.setSystemTime(startPlus(seconds + 1))
    expect(await isKnown()).toBe(false)
  })

  it('ADMIN_IDENTITIES: the users of identity providers who are admins', async () => {
    const { find } = makeAccountStates({ ...ENVIRONMENT, ADMIN_IDENTITIES: 'google:1' })
    expect([(await find('google:1'))?.roles, (await find('google:2'))?.roles]).toEqual([['ROLE_ADMIN'], ['ROLE_USER']])
  })
})

describe('what a team configures', () => {
  const TEAM: Team = checkedConfig({
    sources: { acme: { proof: { kind: 'hmac', header: 'X-Signature' }, rateLimitPerMinute: 3 } },
    destinations: { crm: { to: 'http', url: 'https://crm.example.com/', from: { '*': ['**'] } } },
  })
  beforeEach(() => void Object.assign(team, TEAM))
  afterEach(() => {
    for (const name of Object.keys(TEAM)) Reflect.deleteProperty(team, name)
  })

  it.each<[string, (environment: Environment) => unknown, unknown]>([
    ['sources', () => teamSources().rateLimitOf('acme'), 3],
    ['destinations: their list', async (e) => names((await makeDestinations(e)).destinations), ['crm']],
    [
      'destinations: the deliveries to one',
      async (e) => names((await makeDestinationDeliveries(e)).destinations),
      ['crm'],
    ],
    ['destinations: a delivery that is ordered', async (e) => names((await makeRedelivery(e)).destinations), ['crm']],
    ['destinations: the scan of deliveries', (e) => names(makeDeliveryScan(e).parts.destinations), ['crm']],
    ['destinations: a test', async (e) => [...(await makeDestinationTest(e)).carriers.keys()], ['crm']],
    ['destinations: a replay', async (e) => (await makeReplays(e)).isDestination('crm'), true],
  ])('%s', async (_, seen, expected) => {
    expect(await seen(ENVIRONMENT)).toEqual(expected)
  })
})

function names(all: readonly { readonly name: string }[]): readonly string[] {
  return all.map(({ name }) => name)
}
