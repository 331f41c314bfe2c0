import { route as accountPassword } from './account-password.ts'
import { route as accountSessions } from './account-sessions.ts'
import { route as accountSessionsDelete } from './account-sessions-delete.ts'
import { route as adminSecure } from './admin-secure.ts'
import { route as auditTrail } from './audit-trail.ts'
import { route as authInfo } from './auth-info.ts'
import { route as authLogin } from './auth-login.ts'
import { route as consoleAsset } from './console-asset.ts'
import { route as consolePage } from './console-page.ts'
import { route as destinationDeliveries } from './destination-deliveries.ts'
import { route as destinationDisable } from './destination-disable.ts'
import { route as destinationEnable } from './destination-enable.ts'
import { route as destinationTest } from './destination-test.ts'
import { route as destinations } from './destinations.ts'
import { route as docs } from './docs.ts'
import { route as home } from './home.ts'
import { route as jdbcUsers } from './jdbc-users.ts'
import { route as keys } from './keys.ts'
import { route as keysCreate } from './keys-create.ts'
import { route as keysDelete } from './keys-delete.ts'
import { route as ldapUsers } from './ldap-users.ts'
import { route as liveTicket } from './live-ticket.ts'
import { route as loginForm } from './login-form.ts'
import { route as loginPage } from './login-page.ts'
import { route as loginPasskey } from './login-passkey.ts'
import { route as loginPasskeyOptions } from './login-passkey-options.ts'
import { route as logout } from './logout.ts'
import { route as messagesCreate } from './messages-create.ts'
import { route as oauth2Callback } from './oauth2-callback.ts'
import { route as oauth2Profile } from './oauth2-profile.ts'
import { route as oauth2Start } from './oauth2-start.ts'
import { route as oauth2Steps } from './oauth2-steps.ts'
import { route as openapi } from './openapi.ts'
import { route as order } from './order.ts'
import { route as orders } from './orders.ts'
import { route as passkeyRegistrationOptions } from './passkey-registration-options.ts'
import { route as passkeys } from './passkeys.ts'
import { route as passkeysCreate } from './passkeys-create.ts'
import { route as passkeysDelete } from './passkeys-delete.ts'
import { route as payment } from './payment.ts'
import { route as payments } from './payments.ts'
import { route as publicHello } from './public-hello.ts'
import { route as replay } from './replay.ts'
import { route as replays } from './replays.ts'
import { route as replaysCreate } from './replays-create.ts'
import type { Route } from './route.ts'
import { route as status } from './status.ts'
import { route as user } from './user.ts'
import { route as userSecure } from './user-secure.ts'
import { route as userSessions } from './user-sessions.ts'
import { route as userSessionsDelete } from './user-sessions-delete.ts'
import { route as users } from './users.ts'
import { route as usersCreate } from './users-create.ts'
import { route as usersDelete } from './users-delete.ts'
import { route as usersUpdate } from './users-update.ts'
import { route as webhookChallenge } from './webhook-challenge.ts'
import { route as webhookCounts } from './webhook-counts.ts'
import { route as webhookEvent } from './webhook-event.ts'
import { route as webhookEventDeliveries } from './webhook-event-deliveries.ts'
import { route as webhookEventDeliveryRetry } from './webhook-event-delivery-retry.ts'
import { route as webhookEventPayload } from './webhook-event-payload.ts'
import { route as webhookEventPayloadDelete } from './webhook-event-payload-delete.ts'
import { route as webhookEventRetry } from './webhook-event-retry.ts'
import { route as webhookEvents } from './webhook-events.ts'
import { route as webhookGithub } from './webhook-github.ts'
import { route as webhookOrderStatus } from './webhook-order-status.ts'
import { route as webhookPayment } from './webhook-payment.ts'
import { route as webhookProvider } from './webhook-provider.ts'
import { route as webhookRefusals } from './webhook-refusals.ts'
import { route as webhookSources } from './webhook-sources.ts'
import { route as webhookStripe } from './webhook-stripe.ts'

/** Every endpoint, once, in the order of serverless.yml. */
export const ROUTES = {
  publicHello,
  status,
  authLogin,
  authInfo,
  adminSecure,
  userSecure,
  jdbcUsers,
  ldapUsers,
  oauth2Profile,
  oauth2Steps,
  users,
  usersCreate,
  user,
  usersUpdate,
  usersDelete,
  userSessions,
  userSessionsDelete,
  accountPassword,
  accountSessions,
  accountSessionsDelete,
  liveTicket,
  passkeyRegistrationOptions,
  passkeysCreate,
  passkeys,
  passkeysDelete,
  keysCreate,
  keys,
  keysDelete,
  auditTrail,
  messagesCreate,
  home,
  loginPage,
  loginForm,
  loginPasskeyOptions,
  loginPasskey,
  logout,
  oauth2Start,
  oauth2Callback,
  consolePage,
  consoleAsset,
  webhookCounts,
  webhookSources,
  webhookEvents,
  webhookEvent,
  webhookEventPayload,
  webhookEventPayloadDelete,
  webhookEventRetry,
  webhookEventDeliveries,
  webhookEventDeliveryRetry,
  webhookRefusals,
  replays,
  replaysCreate,
  replay,
  payments,
  payment,
  orders,
  order,
  destinations,
  destinationDeliveries,
  destinationEnable,
  destinationDisable,
  destinationTest,
  webhookPayment,
  webhookOrderStatus,
  webhookStripe,
  webhookGithub,
  webhookProvider,
  webhookChallenge,
  openapi,
  docs,
} as const satisfies Record<string, Route>

export type Routes = typeof ROUTES
export type EndpointName = keyof Routes
