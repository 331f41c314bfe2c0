import { expect, it } from 'vitest'
import { jsonError, SECRETS, secretsAre, told, tryToDeploy } from '../../../support/deployer.ts'

const OK = 'ok | functions start with gatehouse/prod/tokens, gatehouse/prod/webhooks'
const MEND = 'replace it: docs/rotation.md'

const look = async (secrets: Readonly<Record<string, unknown>>, overrides: readonly string[] = []) =>
  told(await tryToDeploy('prod', secretsAre({ ...SECRETS, ...secrets }), overrides), 'secrets')

it('secrets with which functions start are accepted', async () => {
  expect(await look({})).toEqual([OK])
})

it('a missing one is named with its region', async () => {
  expect(await look({ tokens: undefined })).toEqual([
    'fail | gatehouse/prod/tokens is not in Secrets Manager in eu-central-1 | make it: docs/rotation.md, before the first deployment',
  ])
})

it.each([
  ['tokens', { JWT_KEYS: `k1:${'A'.repeat(100)}` }, 'JWT_KEYS: key 1 must be random on a deployed stage'],
  [
    'webhooks',
    { WEBHOOK_SECRETS: { stripe: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' } },
    'WEBHOOK_SECRETS: stripe must not be an example on a deployed stage',
  ],
])(
  '%s with which functions would not start is reported by the same rule, without its value',
  async (name, text, rule) => {
    expect(await look({ [name]: text })).toEqual([`fail | gatehouse/prod/${name}: ${rule} | ${MEND}`])
  },
)

it('one that is not a JSON object is reported without its value', async () => {
  expect(await look({ tokens: 'k1:abc' })).toEqual([`fail | gatehouse/prod/tokens: must be a JSON object | ${MEND}`])
})

it('those of a login provider and of a directory are checked if the stage has them', async () => {
  const secrets = {
    oauth2: { OAUTH2_GITHUB_CLIENT_SECRET: 'short' },
    directory: { LDAP_BIND_DN: 'cn=a', LDAP_BIND_PASSWORD: 'changeme' },
  }
  const overrides = ['OAUTH2_GITHUB_CLIENT_ID=client', 'LDAP_URL=ldaps://directory.example.com']
  expect(await look(secrets, overrides)).toEqual([
    `fail | gatehouse/prod/oauth2: OAUTH2_GITHUB_CLIENT_SECRET: must have at least 16 characters on a deployed stage | ${MEND}`,
    `fail | gatehouse/prod/directory: LDAP_BIND_PASSWORD: must not be an example on a deployed stage | ${MEND}`,
  ])
})

it('a deployer who may not read them sees that they exist', async () => {
  const denied = { 'secretsmanager.GetSecretValue': () => jsonError('AccessDeniedException') }
  const lines = told(await tryToDeploy('prod', denied), 'secrets')
  expect(lines).toContainEqual(
    expect.stringMatching(
      /^warn \| gatehouse\/prod\/tokens is there, and not read: .*AccessDenied.* \| allow it, or trust it$/,
    ),
  )
  expect(lines).toHaveLength(2)
})

it('a deployer who may not list them cannot deploy', async () => {
  const denied = { 'secretsmanager.DescribeSecret': () => jsonError('AccessDeniedException') }
  expect(told(await tryToDeploy('prod', denied), 'secrets')).toEqual([
    expect.stringMatching(/^fail \| .*AccessDenied.* \| allow it, or find out why AWS refuses$/),
  ])
})
