import { TABLES } from '../../test/support/emulated-store.ts'
import type { EmulatedEngine } from '../../test/support/fan-out.ts'
import { claims, forge, HEADER } from '../../test/support/forge.ts'

const SECRET = Buffer.alloc(64, 7).toString('base64url')

/** What `addAdmin` makes the account of. */
export const ADMIN_TOKEN = forge(claims({ sub: 'admin', role: 'ROLE_ADMIN' }), HEADER, 'sha512', SECRET)

/** Settings of a container that has everything from emulators. */
export function adapterSettings({ topics }: EmulatedEngine): Readonly<Record<string, string>> {
  const { AWS_ENDPOINT_URL_DYNAMODB = '', AWS_ENDPOINT_URL_SNS = '', AWS_ENDPOINT_URL_SQS = '' } = process.env
  return {
    AWS_ENDPOINT_URL_DYNAMODB,
    AWS_ENDPOINT_URL_SNS,
    AWS_ENDPOINT_URL_SQS,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
    JWT_KEYS: `test:${SECRET}`,
    BASE_URL: 'http://127.0.0.1',
    EVENTS_TABLE: TABLES.events,
    DELIVERIES_TABLE: TABLES.deliveries,
    KEYS_TABLE: TABLES.keys,
    USERS_TABLE: TABLES.users,
    SESSIONS_TABLE: TABLES.sessions,
    RETRY_QUEUE_URL: 'http://127.0.0.1/none',
    EVENTS_TOPIC_ARN: topics.events,
    MESSAGES_TOPIC_ARN: topics.messages,
    STOMP_CONNECTIONS_PER_USER: '1000',
    CHANNELS_ANONYMOUS_PER_ADDRESS: '512',
    DRAIN_SECONDS: '5',
  }
}
