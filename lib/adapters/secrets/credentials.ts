import * as z from 'zod/mini'
import { request } from './request.ts'
import type { Credentials } from './signature.ts'

const handedOut = z.object({ AccessKeyId: z.string(), SecretAccessKey: z.string(), Token: z.string() })

/**
 * The credentials of a task's role (Amazon ECS Developer Guide, "Task IAM role").
 * @param url where ECS hands them out
 * @throws Error when it does not
 */
export async function taskCredentials(url: URL): Promise<Credentials> {
  const { status, body } = await request(url, { method: 'GET' })
  if (status !== 200) throw new Error(`the credentials of the task were answered with ${status}`)
  const { AccessKeyId, SecretAccessKey, Token } = z.parse(handedOut, JSON.parse(body))
  return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: Token }
}
