import { systemClock } from '../../runtime/clock.ts'
import { loadConfig } from '../../runtime/config.ts'
import { optional, text, withDefault } from '../../runtime/settings/values.ts'
import { taskCredentials } from './credentials.ts'
import type { AwsCredentials } from './signature.ts'

/** Endpoint, region and credentials of one AWS service. */
export interface AwsService {
  readonly endpoint: URL
  readonly region: string
  readonly credentials: () => AwsCredentials | Promise<AwsCredentials>
}

/** What AWS itself puts into the environment of functions and tasks. */
const settings = {
  AWS_REGION: text,
  AWS_ENDPOINT_URL: optional(text),
  AWS_ACCESS_KEY_ID: withDefault(text, ''),
  AWS_SECRET_ACCESS_KEY: withDefault(text, ''),
  AWS_SESSION_TOKEN: optional(text),
  AWS_CONTAINER_CREDENTIALS_FULL_URI: optional(text),
  AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: optional(text),
}

/** Where ECS answers the tasks of a host (Amazon ECS Developer Guide, "Task IAM role"). */
const ECS = 'http://169.254.170.2'

/**
 * Access to a service with what AWS puts into the environment of functions and tasks, and what replaces its endpoint
 * there (AWS SDKs and Tools Reference Guide, "Service-specific endpoints").
 * @param service as it is in addresses, and in the names of those settings
 * @param elsewhere the region, if it is not that of the function or task
 * @throws ConfigError
 */
export function accessFromEnvironment(
  service: string,
  settingName = service.toUpperCase(),
  elsewhere?: string,
): AwsService {
  const config = loadConfig(settings)
  const own = `AWS_ENDPOINT_URL_${settingName}`
  const { [own]: ownEndpoint } = loadConfig({ [own]: optional(text) })
  const { AWS_REGION: here, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: path } = config
  const region = elsewhere ?? here
  const handedOut = config.AWS_CONTAINER_CREDENTIALS_FULL_URI ?? (path && `${ECS}${path}`)
  const credentials = {
    accessKeyId: config.AWS_ACCESS_KEY_ID,
    secretAccessKey: config.AWS_SECRET_ACCESS_KEY,
    sessionToken: config.AWS_SESSION_TOKEN,
  }
  return {
    endpoint: new URL(ownEndpoint ?? config.AWS_ENDPOINT_URL ?? `https://${service}.${region}.amazonaws.com`),
    region,
    credentials: handedOut === undefined ? () => credentials : taskCredentials(new URL(handedOut), systemClock),
  }
}
