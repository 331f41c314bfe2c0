import * as z from 'zod/mini'
import { unavailable } from '../../errors.ts'
import type { SecretSource } from '../../runtime/secrets.ts'
import { type AwsResponse, type AwsService, awsClient } from '../aws/client.ts'

/** For connection and answer together, in milliseconds. */
const TIMEOUT_MS = 2000

/** A secret, or what is wrong. */
const answer = z.object({ SecretString: z.optional(z.string()), __type: z.optional(z.string()) })

/**
 * AWS Secrets Manager, asked by a signed request: loading the SDK costs a start more than asking does
 * (docs/decisions/0013-secrets.md).
 */
export function secretsManager(accessOf: () => AwsService): SecretSource {
  const client = awsClient('secretsmanager', '1.1', accessOf)
  const ask = async (name: string) =>
    textOf(await client.ask('secretsmanager.GetSecretValue', { SecretId: name }, TIMEOUT_MS))
  return {
    read: (name) =>
      ask(name)
        // A retry: one lost connection must not make a start fail.
        .catch(() => ask(name))
        .catch((error) => {
          throw unavailable(error)
        }),
  }
}

/** The text of the current version; an answer is never quoted, for it holds the secret. */
function textOf({ status, body }: AwsResponse): string | undefined {
  const { SecretString, __type } = z.parse(answer, jsonOf(body))
  if (status === 200 && SecretString !== undefined) return SecretString
  if (__type?.endsWith('ResourceNotFoundException')) return undefined
  throw new Error(`Secrets Manager answered ${status} ${__type ?? 'without a text'}`)
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return {}
  }
}
