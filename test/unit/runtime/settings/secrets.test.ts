import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { SECRETS } from '../../../../lib/runtime/settings/secret-names.ts'
import { noSecretInEnvironment, secretSettings } from '../../../../lib/runtime/settings/secrets.ts'

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

  it('allows an age of five minutes by default', () => {
    expect(loadConfig(secretSettings, [], {}).SECRET_MAX_AGE_SECONDS).toBe(300)
    expect(loadConfig(secretSettings, [], { SECRET_MAX_AGE_SECONDS: '0.5' }).SECRET_MAX_AGE_SECONDS).toBe(0.5)
    expect(() => loadConfig(secretSettings, [], { SECRET_MAX_AGE_SECONDS: '3601' })).toThrow('SECRET_MAX_AGE_SECONDS')
  })
})
