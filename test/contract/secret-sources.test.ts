import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { AwsCredentials } from '../../lib/adapters/aws/client.ts'
import { secretsManager } from '../../lib/adapters/secrets/secrets-manager.ts'
import { ServiceError } from '../../lib/errors.ts'
import { type SecretsManager, startSecretsManager } from '../support/secrets-manager.ts'

const OWN = { accessKeyId: 'local', secretAccessKey: 'local' }
const NAME = 'gatehouse/prod/tokens'

let aws: SecretsManager
beforeAll(async () => {
  aws = await startSecretsManager()
})
afterEach(() => aws.fail())
afterAll(() => aws.stop())

const sourceAt = (url = aws.url, credentials: () => Promise<AwsCredentials> = async () => OWN) =>
  secretsManager(() => ({ endpoint: new URL(url), region: 'eu-central-1', credentials }))

async function failureOf(reading: Promise<unknown>): Promise<string> {
  const error = await reading.catch((reason: unknown) => reason)
  if (!(error instanceof ServiceError && error.is('UNAVAILABLE'))) throw error
  return String(error.cause)
}

describe('Secrets Manager', () => {
  it('answers with the current text, byte for byte', async () => {
    for (const text of ['{"JWT_KEYS":"a:ä€😀\\u2028"}', '{}', 'no JSON', 'x'.repeat(65_536)]) {
      aws.put(NAME, text)
      expect(await sourceAt().read(NAME)).toBe(text)
    }
  })

  it('returns nothing for an unknown name', async () => {
    expect(await sourceAt().read('gatehouse/prod/nothing')).toBeUndefined()
  })

  it('is called with the credentials of a session as well', async () => {
    aws.put(NAME, '{}')
    const session = async () => ({ ...OWN, sessionToken: 'token/+=' })
    expect(await sourceAt(aws.url, session).read(NAME)).toBe('{}')
  })

  it('is called once more after a failure, and a second failure is the answer', async () => {
    aws.put(NAME, '{}')
    let calls = 0
    const flaky = async () => {
      calls += 1
      if (calls === 1) throw new Error('lost')
      return OWN
    }
    expect(await sourceAt(aws.url, flaky).read(NAME)).toBe('{}')
    aws.fail([500, '{}'])
    expect(await failureOf(sourceAt().read(NAME))).toBe('Error: Secrets Manager answered 500 without a text')
  })

  it.each([
    ['a throttle', [400, '{"__type":"ThrottlingException","message":"m"}'], '400 ThrottlingException'],
    ['no permission', [400, '{"__type":"AccessDeniedException","Message":"m"}'], '400 AccessDeniedException'],
    ['bytes instead of a text', [200, '{"SecretBinary":"dG9wLXNlY3JldA=="}'], '200 without a text'],
    ['half of an answer', [200, '{"SecretString":"top-sec'], '200 without a text'],
    ['no JSON', [503, 'top-secret'], '503 without a text'],
  ] as const)('is unavailable for %s, which is not quoted', async (_, failure, reason) => {
    aws.fail(failure)
    expect(await failureOf(sourceAt().read(NAME))).toBe(`Error: Secrets Manager answered ${reason}`)
  })

  it('is unavailable for a caller with a wrong signature', async () => {
    const wrong = async () => ({ ...OWN, secretAccessKey: 'other' })
    expect(await failureOf(sourceAt(aws.url, wrong).read(NAME))).toContain('InvalidSignatureException')
  })

  it('is unavailable after two seconds without an answer', async () => {
    expect(await failureOf(sourceAt('http://127.0.0.1:9').read(NAME))).toContain('ECONNREFUSED')
    aws.fail('silent')
    expect(await failureOf(sourceAt().read(NAME))).toContain('no answer within 2000 ms')
  })
})
