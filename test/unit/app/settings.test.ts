import { readFileSync } from 'node:fs'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { makeUserSessions } from '../../../lib/app/account.ts'
import { databaseOf } from '../../../lib/app/basic.ts'
import { makeDeliveryScan } from '../../../lib/app/deliveries.ts'
import { makeDestinationTest } from '../../../lib/app/destination-test.ts'
import { makePublic } from '../../../lib/app/edge.ts'
import { makeChallenges } from '../../../lib/app/intake.ts'
import { makeFormLogin, makeTokenLogin } from '../../../lib/app/login.ts'
import { makeDestinationDeliveries, makeDestinations, makeRedelivery, makeReplays } from '../../../lib/app/operators.ts'
import { makePages } from '../../../lib/app/pages.ts'
import { makePasskeyStart } from '../../../lib/app/passkeys.ts'
import { policyOf } from '../../../lib/app/processing.ts'
import { makeAccountStates } from '../../../lib/app/sessions.ts'
import { teamSources } from '../../../lib/app/sources.ts'
import { passwordStores } from '../../../lib/app/stores.ts'
import { team } from '../../../lib/app/team.ts'
import { makeUserList, makeUsers } from '../../../lib/app/users.ts'
import { checkedConfig } from '../../../lib/deliver/configured/read.ts'
import type { Team } from '../../../lib/deliver/handler-file.ts'
import { loadConfig } from '../../../lib/runtime/config.ts'
import { retrySettings } from '../../../lib/runtime/settings/retry.ts'
import { NO_LIMIT } from '../../../lib/webhooks/rate/limiter.ts'
import { KNOWN } from '../../../lib/webhooks/sources/catalog.ts'
import { ENVIRONMENT, useSettings } from '../../support/composers.ts'
import { START } from '../../support/fakes/clock.ts'
import { OUTDATED_HASH } from '../../support/fakes/users.ts'

const intake = async () => (await makeChallenges(KNOWN)).intake
const hasNoLimit = async () => (await intake()).limiter === NO_LIMIT
const proofOf = (source: string) => async () => (await intake()).proofOf(source)
const sessions = () => makeFormLogin().sessions
const site = () => makePages('{}').site
const policy = () => policyOf(loadConfig(retrySettings))
const startPlus = (seconds: number) => new Date(START.getTime() + seconds * 1000)

async function tokenSeconds(): Promise<number> {
  const { tokens } = await makeTokenLogin()
  const [, payload = ''] = (await tokens.issue('ada', 'ROLE_USER')).split('.')
  const { iat, exp } = JSON.parse(Buffer.from(payload, 'base64url').toString())
  return exp - iat
}

const LOOKS = { createdAt: START, lastSeenAt: START }
const mayDelete = ({ permits }: Pick<Awaited<ReturnType<typeof makeUsers>>, 'permits'>) =>
  permits(['ROLE_USER'], { name: 'DELETE', on: 'User' })
const GRANTS = JSON.stringify({ ROLE_USER: { User: ['DELETE'] } })

type Row = readonly [setting: string, value: string | undefined, use: string, seen: () => unknown, expected: unknown]

const ROWS: readonly Row[] = [
  ['SESSION_IDLE_SECONDS', '60', 'the end of an idle session', () => sessions().expiresAt(LOOKS), startPlus(60)],
  ['SESSION_MAX_SECONDS', '7200', 'the end of a used session', () => sessions().latestEnd(LOOKS), startPlus(7200)],
  ['JWT_LIFETIME_SECONDS', '120', 'a token', tokenSeconds, 120],
  ['WEBHOOK_MAX_BODY_BYTES', '5000', 'the intake', async () => (await intake()).maxBodyBytes, 5000],
  ['WEBHOOK_TOLERANCE_SECONDS', '60', 'the intake', async () => (await intake()).toleranceSeconds, 60],
  ['WEBHOOK_PAYMENT_SIGNATURE', 'required', 'a local run', proofOf('payment'), 'required'],
  ['WEBHOOK_SECURITY_ENABLED', 'false', 'proofs', proofOf('stripe'), 'unchecked'],
  ['WEBHOOK_SECURITY_ENABLED', 'false', 'the limit of calls', hasNoLimit, true],
  ['WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE', '0', 'the limit of calls', hasNoLimit, true],
  ['WEBHOOK_RETRY_MAX_ATTEMPTS', '7', 'retries', () => policy().maxAttempts, 7],
  ['WEBHOOK_RETRY_DELAY_MINUTES', '1,2.5', 'retries', () => policy().delays, [60_000, 150_000]],
  ['WEBHOOK_RETRY_SCAN_INTERVAL_MS', '1000', 'retries', () => policy().scanInterval, 1000],
  ['TRUSTED_ORIGINS', 'https://a.example', 'endpoints', () => makePublic().trustedOrigins, ['https://a.example']],
  ['TRUSTED_PROXIES', '10.0.0.0/8', 'endpoints', () => makePublic().trustedProxies.has('10.1.2.3'), true],
  ['TRUSTED_PROXIES', '10.0.0.0/8', 'the intake', async () => (await intake()).trustedProxies.has('10.1.2.3'), true],
  ['BASIC_FOR_OPERATORS', 'off', 'endpoints', () => makePublic().isBasicForOperators, false],
  ['PROFILE', 'jwt', 'endpoints', () => makePublic().profile, 'jwt'],
  ['PROFILE', 'jdbc', 'the stores of passwords', passwordStores, ['database']],
  ['LDAP_URL', undefined, 'the stores of passwords', passwordStores, ['database']],
  ['PASSKEYS', 'off', 'passkeys', () => makePasskeyStart().isOff, true],
  ['PASSKEYS', 'off', 'the console', () => site().passkeys, 'off'],
  ['ROLE_PERMISSIONS', GRANTS, 'users', async () => mayDelete(await makeUsers()), true],
  ['ROLE_PERMISSIONS', GRANTS, 'lists', async () => mayDelete(await makeUserList()), true],
  ['ROLE_PERMISSIONS', GRANTS, 'logins', async () => mayDelete(await makeUserSessions()), true],
  ['ROLE_PERMISSIONS', GRANTS, 'the console', () => site().permissions, { ROLE_USER: { User: ['DELETE'] } }],
  ['STOMP_URL', 'wss://live.example/ws', 'the console', () => site().stompUrl?.href, 'wss://live.example/ws'],
  ['GRPC_URL', 'https://grpc.example', 'the console', () => site().grpcUrl?.href, 'https://grpc.example/'],
]

it.each(ROWS)('%s=%s decides on %s', async (setting, value, _, seen, expected) => {
  useSettings(ENVIRONMENT)
  expect(await seen()).not.toEqual(expected)
  useSettings({ ...ENVIRONMENT, [setting]: value })
  expect(await seen()).toEqual(expected)
})

it.each(['retryEvent', 'replayStep'])('the lease of a run is longer than %s may run', (name) => {
  const { functions } = parse(readFileSync('serverless.yml', 'utf8'), { logLevel: 'silent' }) as {
    readonly functions: Readonly<Record<string, { readonly timeout: number }>>
  }
  useSettings(ENVIRONMENT)
  expect(policy().lease).toBeGreaterThan((functions[name]?.timeout ?? Number.NaN) * 1000)
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
    useSettings({ ...ENVIRONMENT, BASIC_CACHE_SECONDS: String(seconds) })
    const accounts = databaseOf()
    expect(await accounts.check('ada', 'correct horse')).toMatchObject({ uid: 'a' })
    const isKnown = async () => (await accounts.recall?.('ada', 'correct horse')) !== undefined
    vi.setSystemTime(startPlus(seconds - 1))
    expect(await isKnown()).toBe(seconds > 0)
    vi.setSystemTime(startPlus(seconds + 1))
    expect(await isKnown()).toBe(false)
  })

  it('ADMIN_IDENTITIES: the users of identity providers who are admins', async () => {
    useSettings({ ...ENVIRONMENT, ADMIN_IDENTITIES: 'google:1' })
    const { find } = makeAccountStates()
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

  it.each<[string, () => unknown, unknown]>([
    ['sources', () => teamSources().configured.get('acme')?.rateLimitPerMinute, 3],
    ['destinations: their list', async () => names((await makeDestinations()).destinations), ['crm']],
    [
      'destinations: the deliveries to one',
      async () => names((await makeDestinationDeliveries()).destinations),
      ['crm'],
    ],
    ['destinations: a delivery that is ordered', async () => names((await makeRedelivery()).destinations), ['crm']],
    ['destinations: the scan of deliveries', async () => names((await makeDeliveryScan()).parts.destinations), ['crm']],
    ['destinations: a test', async () => [...(await makeDestinationTest()).carriers.keys()], ['crm']],
    ['destinations: a replay', async () => (await makeReplays()).isDestination('crm'), true],
  ])('%s', async (_, seen, expected) => {
    useSettings(ENVIRONMENT)
    expect(await seen()).toEqual(expected)
  })
})

function names(all: readonly { readonly name: string }[]): readonly string[] {
  return all.map(({ name }) => name)
}
