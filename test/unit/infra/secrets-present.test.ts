import { afterEach, expect, it, vi } from 'vitest'
import { missingSecrets, type SecretsPresentEngine } from '../../../infra/deployed.ts'
import type { Destination } from '../../../lib/deliver/destination.ts'
import { destinationsIn, EACH_KIND, handlerIn } from '../../support/destinations.ts'
import { type FakeAws, fakeAws } from '../../support/fake-aws.ts'

let aws: FakeAws | undefined

afterEach(async () => {
  vi.unstubAllEnvs()
  await aws?.close()
})

const NOT_FOUND = [400, { __type: 'ResourceNotFoundException' }] as const

/** What whoever deploys is told where only these secrets are, and what Secrets Manager was asked for. */
async function look(
  present: Readonly<Record<string, readonly [number, object]>>,
  settings: Readonly<Record<string, string>> = {},
  destinations: readonly Destination[] = [],
) {
  aws = await fakeAws({ 'secretsmanager.DescribeSecret': ({ SecretId: name }) => present[String(name)] ?? NOT_FOUND })
  vi.stubEnv('AWS_ENDPOINT_URL', aws.url)
  const engine: SecretsPresentEngine = {
    service: { provider: { environment: { SECRETS_PREFIX: 'gatehouse/prod', LDAP_URL: '', ...settings } } },
    getProvider: () => ({
      getRegion: () => 'eu-central-1',
      getAwsSdkV3Config: async () => ({
        credentials: async () => ({ accessKeyId: 'local', secretAccessKey: 'local' }),
      }),
    }),
  }
  const said = await missingSecrets(engine, destinations)
  return { said, asked: aws.calls.map(([, body]) => body['SecretId']).sort() }
}

const ALWAYS = {
  'gatehouse/prod/tokens': [200, {}],
  'gatehouse/prod/webhooks': [200, {}],
} as const

it('exactly the secrets that functions will read are checked', async () => {
  const { said, asked } = await look(ALWAYS)
  expect(said).toEqual([])
  expect(asked).toEqual(['gatehouse/prod/tokens', 'gatehouse/prod/webhooks'])
})

it.each([
  ['oauth2', { OAUTH2_GITHUB_CLIENT_ID: 'client' }],
  ['directory', { LDAP_URL: 'ldaps://directory.example' }],
])('%s is needed with %j', async (name, settings) => {
  const { said } = await look(ALWAYS, settings)
  expect(said).toEqual([
    'Secrets Manager in eu-central-1, the region of the stack, does not have:',
    `  gatehouse/prod/${name}`,
  ])
})

it.each([
  ['an http destination', { crm: EACH_KIND['crm-eu'] }, ['  gatehouse/prod/deliveries']],
  ['no other destination', { ledger: EACH_KIND.ledger, bus: EACH_KIND.bus }, []],
])('deliveries is needed with %s', async (_, destinations, missing) => {
  const { said } = await look(ALWAYS, {}, destinationsIn(destinations))
  expect(said.slice(1)).toEqual(missing)
})

it.each([
  [['mail'], ['  gatehouse/prod/handlers/shop/order-paid']],
  [[], []],
])('a handler with the secrets %j needs its own', async (secrets, missing) => {
  const { said } = await look(ALWAYS, {}, handlerIn({ secrets }))
  expect(said.slice(1)).toEqual(missing)
})

it('a secret that will be deleted soon counts as missing', async () => {
  const { said } = await look({ ...ALWAYS, 'gatehouse/prod/tokens': [200, { DeletedDate: 1_767_225_600 }] })
  expect(said.slice(1)).toEqual(['  gatehouse/prod/tokens'])
})

it('a secret that may not be read is not missing, but an error', async () => {
  const denied = { ...ALWAYS, 'gatehouse/prod/tokens': [400, { __type: 'AccessDeniedException' }] } as const
  await expect(look(denied)).rejects.toThrow(
    'Secrets Manager answered 400 AccessDeniedException for gatehouse/prod/tokens',
  )
})
