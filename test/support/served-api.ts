import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { env } from 'node:process'
import type { TestProject } from 'vitest/node'
import { freshBuild, LOCAL_DIST } from '../../infra/builds.ts'
import type { Ready } from '../../localstack/stack/ready.ts'
import { judgeCalls } from './calls/judge-calls.ts'
import { recordedIn, recordingTo } from './calls/recording.ts'
import { RETRY_DELAYS } from './retry-delays.ts'
import { freeOffset, startStack, temporaryFolder } from './stack.ts'
import { makeWebhookSecrets, type WebhookSecrets } from './webhook-secrets.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    readonly http: string
    readonly ready: Ready
    /** The secret of the key that the service signs its tokens with. */
    readonly jwtSecret: string
    /** That of the key that it only verifies with. */
    readonly secondSecret: string
    /** What Discord signs with. */
    readonly discordKey: string
    readonly paypal: WebhookSecrets['paypal']
    /** Where the service has all of AWS from; empty where it plays AWS itself. */
    readonly awsEndpoint: string
  }
}

interface How {
  /** As in `AWS_ENDPOINT_URL`. */
  readonly awsEndpoint?: string
  /** Of the command. */
  readonly options?: readonly string[]
  /** What starts it. */
  readonly program?: string
}

/** Where a run finds what the one before left, to see that no test needs an empty store. */
function keptData(): ReturnType<typeof temporaryFolder> | undefined {
  const path = env['SERVICE_DATA']
  return path === undefined ? undefined : { path, remove: () => {} }
}

const makeSecret = () => randomBytes(64).toString('base64url')

/** One running service for all api tests, with retries that come within seconds. */
export async function serveApi(
  project: TestProject,
  { awsEndpoint = '', options = [], program }: How = {},
): Promise<() => Promise<void>> {
  if (program === undefined) await freshBuild(LOCAL_DIST)
  const data = keptData() ?? temporaryFolder()
  const [jwtSecret, secondSecret] = [makeSecret(), makeSecret()]
  const { setting, discordKey, paypal } = makeWebhookSecrets()
  const calls = join(data.path, 'calls.jsonl')
  const settings = {
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: data.path,
    JWT_KEYS: `first:${jwtSecret},second:${secondSecret}`,
    WEBHOOK_SECRETS: setting,
    // The tests fail to log in more often than any person would.
    LOGIN_FAILURES_PER_USER: '10000',
    LOGIN_FAILURES_PER_ADDRESS: '10000',
    LOGIN_FAILURES_PER_NAME: '10000',
    // And send more webhooks than a provider does.
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '1000000',
    WEBHOOK_RETRY_DELAY_MINUTES: RETRY_DELAYS.map((milliseconds) => milliseconds / 60_000).join(),
    WEBHOOK_RETRY_SCAN_INTERVAL_MS: '1000',
    AWS_ENDPOINT_URL: awsEndpoint,
    ...recordingTo(calls),
  }
  const stack = await startStack(settings, [], options, program)
  project.provide('http', stack.ready.http)
  project.provide('ready', stack.ready)
  project.provide('jwtSecret', jwtSecret)
  project.provide('secondSecret', secondSecret)
  project.provide('discordKey', discordKey)
  project.provide('paypal', paypal)
  project.provide('awsEndpoint', awsEndpoint)
  return async () => {
    try {
      await stack.stop()
      await judgeCalls(project, recordedIn(calls))
    } finally {
      data.remove()
    }
  }
}
