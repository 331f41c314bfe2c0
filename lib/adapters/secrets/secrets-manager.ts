import * as z from 'zod/mini'
import { unavailable } from '../../errors.ts'
import type { Clock } from '../../runtime/clock.ts'
import type { SecretSource } from '../../runtime/secret-cache.ts'
import type { AwsService } from '../aws/access.ts'
import { type AwsResponse, sendRequest } from '../aws/request.ts'
import { signedHeaders } from '../aws/signature.ts'

export interface SecretsManagerOptions extends AwsService {
  readonly clock: Clock
}

/** For connection and answer together, in milliseconds. */
const TIMEOUT_MS = 2000

/** The protocol is JSON 1.1: a secret, or what is wrong. */
const answer = z.object({ SecretString: z.optional(z.string()), __type: z.optional(z.string()) })

/**
 * AWS Secrets Manager, asked by a signed request: loading the SDK costs a start more than asking does
 * (docs/decisions/0013-secrets.md).
 */
export function secretsManager({ endpoint, region, credentials, clock }: SecretsManagerOptions): SecretSource {
  async function ask(name: string): Promise<string | undefined> {
    const body = JSON.stringify({ SecretId: name })
    const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': 'secretsmanager.GetSecretValue' }
    const scope = { region, service: 'secretsmanager', at: clock.now() }
    const signed = signedHeaders({ host: endpoint.host, headers, body }, await credentials(), scope)
    return textOf(await sendRequest(endpoint, { method: 'POST', headers: signed, body }, { timeout: TIMEOUT_MS }))
  }

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
