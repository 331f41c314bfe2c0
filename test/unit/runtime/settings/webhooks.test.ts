import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { edgeDeployed, edgeSettings } from '../../../../lib/runtime/settings/edge.ts'
import { strongSecretsDeployed, webhookSecretSettings } from '../../../../lib/runtime/settings/signing-secrets.ts'
import { securityDeployed, webhookSettings } from '../../../../lib/runtime/settings/webhooks.ts'

function load(environment: Readonly<Record<string, string>> = {}) {
  return loadConfig({ ...webhookSecretSettings, ...webhookSettings }, [], environment)
}

function secretsOf(json: unknown) {
  return Object.fromEntries(load({ WEBHOOK_SECRETS: JSON.stringify(json) }).WEBHOOK_SECRETS)
}

describe('WEBHOOK_SECRETS', () => {
  it('is empty by default', () => {
    expect(load().WEBHOOK_SECRETS.size).toBe(0)
  })

  it('maps a name to one or several secrets, with labels, which count if they have none, and times', () => {
    const times = { notBefore: '2026-01-01T00:00:00Z', notAfter: '2026-01-02T00:00:00+01:00' }
    const several = ['two', { value: 'three', label: 'old key' }, { value: 'four', ...times }]
    expect(secretsOf({ stripe: 'one', 'my-shop.v1': several })).toEqual({
      stripe: [{ value: 'one', label: 'stripe#1' }],
      'my-shop.v1': [
        { value: 'two', label: 'my-shop.v1#1' },
        { value: 'three', label: 'old key' },
        {
          value: 'four',
          label: 'my-shop.v1#3',
          notBefore: new Date('2026-01-01T00:00:00Z'),
          notAfter: new Date('2026-01-01T23:00:00Z'),
        },
      ],
    })
  })

  it.each([
    ['no JSON', 'stripe=one', 'must be a JSON object'],
    ['a list', '["one"]', 'must map'],
    ['an empty secret', '{"stripe":""}', 'must map'],
    ['an impossible name', '{"Stripe":"one"}', 'must map'],
    ['a time without a zone', '{"stripe":{"value":"one","notAfter":"2026-01-01T00:00:00"}}', 'must map'],
    ['a day that is in no calendar', '{"stripe":{"value":"one","notAfter":"2026-02-30T00:00:00Z"}}', 'must map'],
    ['a label of 65 characters', `{"stripe":{"value":"one","label":"${'a'.repeat(65)}"}}`, 'must map'],
    ['a label that could start another line', '{"stripe":{"value":"one","label":"a\\nb"}}', 'must map'],
    ['a misspelled property', '{"stripe":{"value":"one","notafter":"2026-01-01T00:00:00Z"}}', 'must map'],
  ])('is refused for %s, unquoted', (_, text, rule) => {
    expect(() => load({ WEBHOOK_SECRETS: text })).toThrow(`WEBHOOK_SECRETS: ${rule}`)
    expect(() => load({ WEBHOOK_SECRETS: text })).not.toThrow(/one/)
  })
})

describe('a prototype as a name in WEBHOOK_SECRETS', () => {
  it('is refused', () => {
    const { WEBHOOK_SECRETS } = load({ WEBHOOK_SECRETS: '{"__proto__":"one","stripe":"two"}' })
    expect([...WEBHOOK_SECRETS.keys()]).toEqual(['stripe'])
  })
})

describe('the other settings of the intake', () => {
  it('have the defaults of the decisions', () => {
    expect(load()).toMatchObject({ WEBHOOK_SECURITY_ENABLED: 'true', WEBHOOK_PAYMENT_SIGNATURE: undefined })
  })

  it.each([
    ['WEBHOOK_SECURITY_ENABLED', 'no'],
    ['WEBHOOK_PAYMENT_SIGNATURE', 'maybe'],
  ])('%s is not %s', (name, text) => {
    expect(() => load({ [name]: text })).toThrow(name)
  })
})

describe('K07 the settings with which a deployed stage does not start', () => {
  const safe = {
    BASE_URL: 'https://hooks.example.com',
    WEBHOOK_SECURITY_ENABLED: 'true',
    WEBHOOK_PAYMENT_SIGNATURE: 'required',
  }
  const start = (STAGE: string, changes: Record<string, string>) => () =>
    loadConfig({ ...edgeSettings, ...webhookSettings }, [...edgeDeployed, ...securityDeployed], {
      ...safe,
      STAGE,
      ...changes,
    })

  it.each([
    ['WEBHOOK_SECURITY_ENABLED', 'false', 'must be true on a deployed stage'],
    ['WEBHOOK_PAYMENT_SIGNATURE', 'optional', 'must be required on a deployed stage'],
    ['WEBHOOK_TOLERANCE_SECONDS', '3600.5', 'must be at most 3600 on a deployed stage'],
    ['WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE', '0', 'must be at least 1 on a deployed stage'],
    ['BASE_URL', 'http://hooks.example.com', 'must be an https address on a deployed stage'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,0.0.0.0/7,128.0.0.0/1', '0.0.0.0/7 holds strangers'],
    ['TRUSTED_PROXIES', 'fc00::/6', 'fc00::/6 holds strangers'],
    ['TRUSTED_PROXIES', '::ffff:0.0.0.0/96', '::ffff:0.0.0.0/96 holds strangers'],
  ])('%s=%s', (name, value, rule) => {
    expect(start('prod', { [name]: value })).toThrow(`${name}: ${rule}`)
    expect(start('local', { [name]: value })).not.toThrow()
  })

  it.each([
    ['WEBHOOK_TOLERANCE_SECONDS', '3600'],
    ['TRUSTED_PROXIES', '10.0.0.0/8,fc00::/7,203.0.113.7'],
    ['WEBHOOK_PAYMENT_SIGNATURE', ''],
  ])('it starts with %s=%s', (name, value) => {
    expect(start('prod', { [name]: value })).not.toThrow()
  })
})

describe('K14 one secret under several names', () => {
  const load = (secrets: object) => loadConfig(webhookSecretSettings, [], { WEBHOOK_SECRETS: JSON.stringify(secrets) })

  it.each([
    [
      'one in a list, with other times',
      { github: ['another one', 'x9!kQ2#mZ7pL'], meta: { value: 'x9!kQ2#mZ7pL', notAfter: '2026-01-01T00:00:00Z' } },
    ],
    ['one with the prefix of Standard Webhooks', { svix: 'whsec_c2VjcmV0', clerk: 'c2VjcmV0' }],
  ])('does not start: %s', (_, secrets) => {
    const names = Object.keys(secrets)
    expect(() => load(secrets)).toThrow(`WEBHOOK_SECRETS: ${names[0]} and ${names[1]} have the same secret`)
    expect(() => load(secrets)).not.toThrow(/x9!kQ2|c2VjcmV0/)
  })

  it('starts if one name refers to the other, and then has its secrets', () => {
    const { WEBHOOK_SECRETS } = load({ 'meta-eu': { sameAs: 'meta' }, meta: ['first', 'second'] })
    expect(WEBHOOK_SECRETS.get('meta-eu')).toEqual([
      { value: 'first', label: 'meta-eu#1', owner: 'meta' },
      { value: 'second', label: 'meta-eu#2', owner: 'meta' },
    ])
  })

  it.each([
    ['nobody', { meta: { sameAs: 'facebook' } }],
    ['one that refers to a third', { a: { sameAs: 'b' }, b: { sameAs: 'c' }, c: 'secret' }],
    ['a name that every object inherits', { meta: { sameAs: 'constructor' } }],
  ])('does not start if it refers to %s', (_, secrets) => {
    expect(() => load(secrets)).toThrow(/WEBHOOK_SECRETS: sameAs of (meta|a) must be a name with secrets of its own/)
  })
})

describe('K01 the secrets of a deployed stage', () => {
  const judge = (STAGE: string, secrets: Readonly<Record<string, readonly string[]>>) =>
    strongSecretsDeployed.broken({
      STAGE,
      WEBHOOK_SECRETS: new Map(
        Object.entries(secrets).map(([name, values]) => [name, values.map((value) => ({ value, label: name }))]),
      ),
    })

  it.each([
    ['none', {}, 'must be set on a deployed stage'],
    [
      'a short one after a long one',
      { demo: ['x9!kQ2#mZ7pL', 'whsec_test'] },
      'demo must have at least 12 characters on a deployed stage',
    ],
  ])('%s: %s is refused, and not quoted', (_, secrets: Readonly<Record<string, readonly string[]>>, rule) => {
    const problem = judge('prod', secrets)
    expect(problem).toContain(`WEBHOOK_SECRETS: ${rule}`)
    for (const value of Object.values(secrets).flat()) expect(problem).not.toContain(value)
    expect(judge('local', secrets)).toBeUndefined()
  })

  it('are accepted when they are unguessable', () => {
    expect(
      judge('prod', { dropbox: ['a1b2c3d4e5f6g7h'], stripe: ['whsec_9fKq2LmZ', 'whsec_Zz81kLpQ'] }),
    ).toBeUndefined()
  })
})
