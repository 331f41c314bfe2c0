import { env } from 'node:process'
import { onTestFinished } from 'vitest'
import { makeAccountSessions, makePasswordChange, makeUserSessions } from '../../lib/app/account.ts'
import { makeDatabase } from '../../lib/app/basic.ts'
import { makeAssets } from '../../lib/app/built-files.ts'
import { makeChannels } from '../../lib/app/channels.ts'
import { makeApi, makeReading, makeSessionOnly } from '../../lib/app/checks.ts'
import { makeDeliveries, makeDeliveryScan } from '../../lib/app/deliveries.ts'
import { makeDestinationTest } from '../../lib/app/destination-test.ts'
import { makePublic } from '../../lib/app/edge.ts'
import { makeChallenges } from '../../lib/app/intake.ts'
import { makeReplayJob, makeRetries, makeScan } from '../../lib/app/jobs.ts'
import { makeKeyList, makeKeys } from '../../lib/app/keys.ts'
import { makeDirectory } from '../../lib/app/ldap.ts'
import { makeFormLogin, makeLogout, makeTokenLogin } from '../../lib/app/login.ts'
import { makeMessages } from '../../lib/app/messages.ts'
import { makeOAuth2 } from '../../lib/app/oauth2.ts'
import {
  makeCounts,
  makeDeliveryList,
  makeDestinationDeliveries,
  makeDestinations,
  makeManualRetry,
  makeOperators,
  makeOrders,
  makePayloadDeletion,
  makePayments,
  makeRedelivery,
  makeRefusals,
  makeReplayList,
  makeReplays,
  makeSourceList,
  makeSwitchDestination,
  makeTrailList,
} from '../../lib/app/operators.ts'
import { makePages } from '../../lib/app/pages.ts'
import { makePasskeyLogin } from '../../lib/app/passkey-login.ts'
import { makePasskeyList, makePasskeyRegistration, makePasskeyStart, makePasskeys } from '../../lib/app/passkeys.ts'
import { orders, payments } from '../../lib/app/processing.ts'
import { makeAccountStates } from '../../lib/app/sessions.ts'
import { teamSources } from '../../lib/app/sources.ts'
import { makeStatus } from '../../lib/app/status.ts'
import { makeTickets } from '../../lib/app/tickets.ts'
import { makeNewUsers, makeUserList, makeUsers } from '../../lib/app/users.ts'
import { makeWebhooks } from '../../lib/app/webhooks.ts'
import type { Environment } from '../../lib/runtime/config.ts'
import { LAMBDA_ENVIRONMENT } from './lambda-environment.ts'

/** All settings that have to be there, by their names. */
export const ENVIRONMENT: Environment = {
  ...LAMBDA_ENVIRONMENT,
  OAUTH2_GITHUB_CLIENT_ID: 'client',
  OAUTH2_GITHUB_CLIENT_SECRET: 'secret',
  LDAP_URL: 'ldap://127.0.0.1:9',
  LDAP_BASE: 'dc=example',
  LDAP_BIND_DN: 'cn=gatehouse,dc=example',
  LDAP_BIND_PASSWORD: 'password',
}

/** Replaces what the process has; the result puts it back. */
export function setSettings(environment: Environment): () => void {
  const before = { ...env }
  const put = (texts: Environment) => {
    for (const name of Object.keys(env)) delete env[name]
    for (const [name, text] of Object.entries(texts)) if (text !== undefined) env[name] = text
  }
  put(environment)
  return () => put(before)
}

/** To the end of the test. */
export const useSettings = (environment: Environment): void => onTestFinished(setSettings(environment))

interface Composer {
  readonly make: () => unknown
  /** Settings with a value that is wrong. */
  readonly wrong: Environment
}

/** Each `make…` of lib/app. */
export const COMPOSERS: Readonly<Record<string, Composer>> = {
  makePublic: { make: makePublic, wrong: { BASE_URL: 'nowhere' } },
  makeAssets: { make: () => makeAssets('{}'), wrong: { BASE_URL: 'nowhere' } },
  makeApi: { make: makeApi, wrong: { JWT_KEYS: 'short:a2V5' } },
  makeSessionOnly: { make: async () => makeSessionOnly(), wrong: { BASE_URL: 'nowhere' } },
  makeDatabase: { make: makeDatabase, wrong: { LOGIN_FAILURES_PER_USER: 'few' } },
  makeDirectory: { make: makeDirectory, wrong: { LDAP_URL: '', LDAP_BASE: '' } },
  makeFormLogin: { make: async () => makeFormLogin(), wrong: { SESSION_MAX_SECONDS: '0' } },
  makeTokenLogin: { make: makeTokenLogin, wrong: { JWT_LIFETIME_SECONDS: '0' } },
  makeLogout: { make: makeLogout, wrong: { SESSIONS_TABLE: '' } },
  makeOAuth2: { make: makeOAuth2, wrong: { OAUTH2_GITHUB_CLIENT_SECRET: '', ADMIN_IDENTITIES: 'ada' } },
  makePages: { make: async () => makePages('{}'), wrong: { SESSION_IDLE_SECONDS: 'long' } },
  makeOperators: { make: makeOperators, wrong: { EVENTS_TABLE: '' } },
  makeReplayList: { make: makeReplayList, wrong: { REPLAYS_TABLE: '' } },
  makePayments: { make: makePayments, wrong: { PAYMENTS_TABLE: '' } },
  makeOrders: { make: makeOrders, wrong: { ORDERS_TABLE: '' } },
  makeManualRetry: { make: makeManualRetry, wrong: { RETRY_QUEUE_URL: '' } },
  makeReplays: { make: makeReplays, wrong: { REPLAYS_TABLE: '', REPLAY_QUEUE_URL: '' } },
  makeDestinations: { make: makeDestinations, wrong: { DELIVERIES_TABLE: '' } },
  makeDestinationDeliveries: { make: makeDestinationDeliveries, wrong: { DELIVERIES_TABLE: '', EVENTS_TABLE: '' } },
  makeSwitchDestination: { make: makeSwitchDestination, wrong: { DELIVERIES_TABLE: '' } },
  makeDestinationTest: { make: makeDestinationTest, wrong: { JWT_KEYS: '' } },
  makeDeliveryList: { make: makeDeliveryList, wrong: { DELIVERIES_TABLE: '', EVENTS_TABLE: '' } },
  makeRedelivery: { make: makeRedelivery, wrong: { RETRY_QUEUE_URL: '' } },
  makeRefusals: { make: makeRefusals, wrong: { REFUSALS_TABLE: '' } },
  makeCounts: { make: makeCounts, wrong: { EVENTS_TABLE: '' } },
  makeSourceList: { make: makeSourceList, wrong: { WEBHOOK_SECRETS: '{' } },
  makeKeyList: { make: makeKeyList, wrong: { KEYS_TABLE: '' } },
  makeKeys: { make: makeKeys, wrong: { KEYS_TABLE: '' } },
  makePasskeyStart: { make: async () => makePasskeyStart(), wrong: { PASSKEYS: 'maybe' } },
  makePasskeyList: { make: async () => makePasskeyList(), wrong: { PASSKEYS_TABLE: '' } },
  makePasskeys: { make: async () => makePasskeys(), wrong: { PASSKEYS_TABLE: '' } },
  makePasskeyRegistration: {
    make: async () => makePasskeyRegistration(),
    wrong: { PASSKEYS_TABLE: '' },
  },
  makePasskeyLogin: {
    make: async () => makePasskeyLogin(),
    wrong: { LOGIN_FAILURES_PER_USER: 'few' },
  },
  makeTrailList: { make: makeTrailList, wrong: { AUDIT_DAYS: '1' } },
  makeMessages: { make: makeMessages, wrong: { MESSAGES_TABLE: '', STOMP_BODY_BYTES: '1' } },
  makeReading: { make: makeReading, wrong: { JWT_KEYS: '' } },
  makeAccountStates: { make: makeAccountStates, wrong: { USERS_TABLE: '', ADMIN_IDENTITIES: 'ada' } },
  makeAccountSessions: { make: makeAccountSessions, wrong: { SESSIONS_TABLE: '' } },
  makeUserSessions: { make: makeUserSessions, wrong: { USERS_TABLE: '', ROLE_PERMISSIONS: 'all' } },
  makePasswordChange: { make: makePasswordChange, wrong: { USERS_TABLE: '' } },
  makeStatus: { make: async () => makeStatus(), wrong: { RETRY_QUEUE_URL: '' } },
  makeTickets: { make: async () => makeTickets(), wrong: { SESSION_IDLE_SECONDS: 'long' } },
  makeUserList: { make: makeUserList, wrong: { ROLE_PERMISSIONS: 'all' } },
  makeNewUsers: { make: makeNewUsers, wrong: { ROLE_PERMISSIONS: 'all' } },
  makeUsers: { make: makeUsers, wrong: { ROLE_PERMISSIONS: 'all' } },
  makeWebhooks: {
    make: () => makeWebhooks([payments(), orders()]),
    wrong: { WEBHOOK_SECRETS: '{' },
  },
  makeChallenges: {
    make: () => makeChallenges(teamSources()),
    wrong: { WEBHOOK_SECRETS: '{' },
  },
  payments: { make: payments, wrong: { PAYMENTS_TABLE: '' } },
  orders: { make: orders, wrong: { ORDERS_TABLE: '' } },
  makeRetries: { make: makeRetries, wrong: { WEBHOOK_RETRY_MAX_ATTEMPTS: 'many' } },
  makeReplayJob: { make: makeReplayJob, wrong: { REPLAYS_TABLE: '' } },
  makeDeliveries: { make: makeDeliveries, wrong: { DELIVERIES_TABLE: '', RETRY_QUEUE_URL: '' } },
  makeDeliveryScan: { make: makeDeliveryScan, wrong: { DELIVERIES_TABLE: '' } },
  makePayloadDeletion: { make: makePayloadDeletion, wrong: { EVENTS_TABLE: '', DELIVERIES_TABLE: '' } },
  makeScan: { make: makeScan, wrong: { EVENTS_TABLE: '', RETRY_QUEUE_URL: '' } },
  makeChannels: { make: makeChannels, wrong: { GRPC_PORT: 'any', WS_PORT: 'any' } },
}
