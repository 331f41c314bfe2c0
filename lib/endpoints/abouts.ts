import type { About } from './about.ts'
import { about as accountPassword } from './account-password.ts'
import { about as accountSessions } from './account-sessions.ts'
import { about as accountSessionsDelete } from './account-sessions-delete.ts'
import { about as adminSecure } from './admin-secure.ts'
import { about as auditTrail } from './audit-trail.ts'
import { about as authInfo } from './auth-info.ts'
import { about as authLogin } from './auth-login.ts'
import { about as consoleAsset } from './console-asset.ts'
import { about as consolePage } from './console-page.ts'
import { about as destinationDeliveries } from './destination-deliveries.ts'
import { about as destinationDisable } from './destination-disable.ts'
import { about as destinationEnable } from './destination-enable.ts'
import { about as destinationTest } from './destination-test.ts'
import { about as destinations } from './destinations.ts'
import { about as docs } from './docs.ts'
import { about as home } from './home.ts'
import type { EndpointName } from './index.ts'
import { about as jdbcUsers } from './jdbc-users.ts'
import { about as keys } from './keys.ts'
import { about as keysCreate } from './keys-create.ts'
import { about as keysDelete } from './keys-delete.ts'
import { about as ldapUsers } from './ldap-users.ts'
import { about as liveTicket } from './live-ticket.ts'
import { about as loginForm } from './login-form.ts'
import { about as loginPage } from './login-page.ts'
import { about as loginPasskey } from './login-passkey.ts'
import { about as loginPasskeyOptions } from './login-passkey-options.ts'
import { about as logout } from './logout.ts'
import { about as messagesCreate } from './messages-create.ts'
import { about as oauth2Callback } from './oauth2-callback.ts'
import { about as oauth2Profile } from './oauth2-profile.ts'
import { about as oauth2Start } from './oauth2-start.ts'
import { about as oauth2Steps } from './oauth2-steps.ts'
import { about as openapi } from './openapi.ts'
import { about as order } from './order.ts'
import { about as orders } from './orders.ts'
import { about as passkeyRegistrationOptions } from './passkey-registration-options.ts'
import { about as passkeys } from './passkeys.ts'
import { about as passkeysCreate } from './passkeys-create.ts'
import { about as passkeysDelete } from './passkeys-delete.ts'
import { about as payment } from './payment.ts'
import { about as payments } from './payments.ts'
import { about as publicHello } from './public-hello.ts'
import { about as replay } from './replay.ts'
import { about as replays } from './replays.ts'
import { about as replaysCreate } from './replays-create.ts'
import { about as status } from './status.ts'
import { about as user } from './user.ts'
import { about as userSecure } from './user-secure.ts'
import { about as userSessions } from './user-sessions.ts'
import { about as userSessionsDelete } from './user-sessions-delete.ts'
import { about as users } from './users.ts'
import { about as usersCreate } from './users-create.ts'
import { about as usersDelete } from './users-delete.ts'
import { about as usersUpdate } from './users-update.ts'
import { about as webhookChallenge } from './webhook-challenge.ts'
import { about as webhookCounts } from './webhook-counts.ts'
import { about as webhookEvent } from './webhook-event.ts'
import { about as webhookEventDeliveries } from './webhook-event-deliveries.ts'
import { about as webhookEventDeliveryRetry } from './webhook-event-delivery-retry.ts'
import { about as webhookEventPayload } from './webhook-event-payload.ts'
import { about as webhookEventPayloadDelete } from './webhook-event-payload-delete.ts'
import { about as webhookEventRetry } from './webhook-event-retry.ts'
import { about as webhookEvents } from './webhook-events.ts'
import { about as webhookGithub } from './webhook-github.ts'
import { about as webhookOrderStatus } from './webhook-order-status.ts'
import { about as webhookPayment } from './webhook-payment.ts'
import { about as webhookProvider } from './webhook-provider.ts'
import { about as webhookRefusals } from './webhook-refusals.ts'
import { about as webhookSources } from './webhook-sources.ts'
import { about as webhookStripe } from './webhook-stripe.ts'

const ABOUTS = {
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
} as const satisfies Record<EndpointName, () => About>

type Abouts = { readonly [N in EndpointName]: ReturnType<(typeof ABOUTS)[N]> }

let made: Abouts | undefined

/**
 * The facts about each endpoint by its name; no function loads them. Returns the same object each time, because a named
 * schema may exist only once.
 */
export function abouts(): Abouts {
  made ??= Object.fromEntries(Object.entries(ABOUTS).map(([name, about]) => [name, about()])) as unknown as Abouts
  return made
}
