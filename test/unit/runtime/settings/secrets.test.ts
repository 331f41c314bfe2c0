import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { SECRETS } from '../../../../lib/runtime/settings/secret-names.ts'
import { noSecretInEnvironment } from '../../../../lib/runtime/settings/secrets.ts'
import { DEMO, weaknessOf } from '../../../../lib/runtime/settings/strength.ts'

describe('the place of the secrets', () => {
  it('is required on a deployed stage, because an environment is no place for them', () => {
    const problem = 'SECRETS_PREFIX: must be set on a deployed stage'
    expect(noSecretInEnvironment.broken({ STAGE: 'prod' })).toBe(problem)
    expect(noSecretInEnvironment.broken({ STAGE: 'prod', SECRETS_PREFIX: 'gatehouse/prod' })).toBeUndefined()
    expect(noSecretInEnvironment.broken({ STAGE: 'local' })).toBeUndefined()
  })

  it('contains one secret for each setting', () => {
    const names = Object.values(SECRETS).flat()
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('K01 a secret on a deployed stage', () => {
  it.each([
    ['elevenchars', 'must have at least 12 characters'],
    [DEMO.bindPassword, 'must not be an example'],
    [DEMO.clientSecret, 'must not be an example'],
    ['8f742231b10e8888abcd99yyyzzz85a5', 'must not be an example'],
    ['<your secret here>', 'must not be an example'],
    ['change-me-please', 'must not be an example'],
    ['wJalrXUtnFEMIEXAMPLEKEY', 'must not be an example'],
    ['abababababababababab', 'must be random'],
  ])('is not %j', (secret, rule) => {
    expect(weaknessOf(secret, 12)).toBe(`${rule} on a deployed stage`)
  })

  it('is a random text, in any alphabet', () => {
    for (const encoding of ['hex', 'base64', 'base64url'] as const)
      expect(weaknessOf(randomBytes(24).toString(encoding), 12)).toBeUndefined()
  })
})
