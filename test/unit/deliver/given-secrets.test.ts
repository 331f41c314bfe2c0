import { describe, expect, it } from 'vitest'
import { type DestinationConfig, secret } from '../../../lib/config.ts'
import { deliverySecretsGiven, secretsNeeded } from '../../../lib/deliver/given-secrets.ts'
import { loadConfig } from '../../../lib/runtime/config.ts'
import { deliverySecretSettings } from '../../../lib/runtime/settings/signing-secrets.ts'
import { destinationsIn, EACH_KIND } from '../../support/destinations.ts'

const crm = { ...EACH_KIND['crm-eu'], headers: { 'x-api-key': secret('crm-key'), 'x-team': 'payments' } }
const destinations = destinationsIn({ crm, erp: crm, ledger: EACH_KIND.ledger } satisfies Record<
  string,
  DestinationConfig
>)

const given = (secrets: object) =>
  loadConfig(deliverySecretSettings, [deliverySecretsGiven(destinations)], {
    DELIVERY_SECRETS: JSON.stringify(secrets),
  })

const KEY = `whsec_${Buffer.alloc(24, 1).toString('base64')}`
const OTHER = `whsec_${Buffer.alloc(24, 2).toString('base64')}`
const ALL = { crm: KEY, erp: OTHER, 'crm-key': 'a key' }

it('an HTTP destination needs its signing secret and those of its headers, and others need none', () => {
  expect(secretsNeeded(destinations)).toEqual({ signing: ['crm', 'erp'], sent: ['crm-key'], shown: [], read: [] })
})

describe('DELIVERY_SECRETS', () => {
  it.each([
    [
      'several at a time, with their ends',
      { ...ALL, crm: [{ value: KEY, notAfter: '2027-01-01T00:00:00Z' }, `${KEY}AAAA`] },
    ],
    ['one secret with two destinations by name', { ...ALL, erp: { sameAs: 'crm' } }],
    ['one without prefix', { ...ALL, crm: KEY.replace('whsec_', '') }],
  ])('may have %s', (_, secrets) => {
    expect(given(secrets).DELIVERY_SECRETS.size).toBe(3)
  })

  it.each([
    ['without two of them', { erp: OTHER }, 'DELIVERY_SECRETS: has none for crm, crm-key'],
    [
      'that cannot sign',
      { ...ALL, crm: 'not base64!' },
      'DELIVERY_SECRETS: crm must be whsec_ and base64, or whsk_ and an Ed25519 key in base64',
    ],
    [
      'that cannot be sent',
      { ...ALL, 'crm-key': 'a\nb' },
      'DELIVERY_SECRETS: crm-key must be printable ASCII, for it is sent in a header',
    ],
    [
      'in another form',
      { crm: 7 },
      'DELIVERY_SECRETS: must map each destination name to a secret or a list of secrets',
    ],
  ])('is refused %s, without its values in the error', (_, secrets, problem) => {
    expect(() => given(secrets)).toThrow(new RegExp(`:\n  ${problem}$`))
  })
})
