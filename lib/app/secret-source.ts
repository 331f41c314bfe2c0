import * as z from 'zod/mini'
import { taskCredentials } from '../adapters/secrets/credentials.ts'
import { secretsManager } from '../adapters/secrets/secrets-manager.ts'
import { loadConfig } from '../platform/config.ts'
import type { SecretSource } from '../platform/keeper.ts'
import { required } from '../platform/settings/values.ts'
import { clock } from './edge.ts'

/** What AWS itself puts into the environment of functions and tasks, and by which its endpoints are replaced. */
const settings = {
  AWS_REGION: required(),
  AWS_ENDPOINT_URL: z.optional(z.string()),
  AWS_ENDPOINT_URL_SECRETS_MANAGER: z.optional(z.string()),
  AWS_ACCESS_KEY_ID: z._default(z.string(), ''),
  AWS_SECRET_ACCESS_KEY: z._default(z.string(), ''),
  AWS_SESSION_TOKEN: z.optional(z.string()),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: z.optional(z.string()),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: z.optional(z.string()),
}

/** Where ECS answers the tasks of a host (Amazon ECS Developer Guide, "Task IAM role"). */
const ECS = 'http://169.254.170.2'

/** Secrets Manager, called as the role of the function or the task. */
export function secretSource(): SecretSource {
  const config = loadConfig(settings)
  const { AWS_REGION: region, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path } = config
  const handedOut = config.AWS_CONTAINER_CREDENTIALS_FULL_URI ?? (path && `${ECS}${path}`)
  const own = {
    accessKeyId: config.AWS_ACCESS_KEY_ID,
    secretAccessKey: config.AWS_SECRET_ACCESS_KEY,
    sessionToken: config.AWS_SESSION_TOKEN,
  }
  return secretsManager({
    endpoint: new URL(
      config.AWS_ENDPOINT_URL_SECRETS_MANAGER ??
        config.AWS_ENDPOINT_URL ??
        `https://secretsmanager.${region}.amazonaws.com`,
    ),
    region,
    credentials: async () => (handedOut === undefined ? own : taskCredentials(new URL(handedOut))),
    clock,
  })
}
