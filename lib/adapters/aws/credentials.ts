import * as z from 'zod/mini'
import type { Clock } from '../../runtime/clock.ts'
import { sendRequest } from './request.ts'
import type { AwsCredentials } from './signature.ts'

const handedOut = z.object({
  AccessKeyId: z.string(),
  SecretAccessKey: z.string(),
  Token: z.string(),
  Expiration: z.string(),
})

const TIMEOUT_MS = 2000

/** How long before their expiry credentials are renewed, in milliseconds. */
const MARGIN_MS = 300_000

/**
 * The credentials of a task's role (Amazon ECS Developer Guide, "Task IAM role"), kept until shortly before they end.
 * @param url where ECS hands them out
 * @returns what throws an Error when it does not
 */
export function taskCredentials(url: URL, clock: Clock): () => Promise<AwsCredentials> {
  let kept: Promise<AwsCredentials> | undefined
  let until = 0

  async function ask(): Promise<AwsCredentials> {
    const { status, body } = await sendRequest(url, { method: 'GET' }, { timeout: TIMEOUT_MS })
    if (status !== 200) throw new Error(`the credentials of the task were answered with ${status}`)
    const { AccessKeyId, SecretAccessKey, Token, Expiration } = z.parse(handedOut, JSON.parse(body))
    until = Date.parse(Expiration) - MARGIN_MS
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token }
  }

  return () => {
    if (kept === undefined || clock.now().getTime() >= until) {
      until = Number.POSITIVE_INFINITY
      kept = ask().catch((error) => {
        kept = undefined
        throw error
      })
    }
    return kept
  }
}
