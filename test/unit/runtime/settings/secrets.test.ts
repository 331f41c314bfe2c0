import { describe, expect, it } from 'vitest'
import { SECRETS } from '../../../../lib/runtime/settings/secret-names.ts'
import { noSecretInEnvironment } from '../../../../lib/runtime/settings/secrets.ts'

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
