import type { Profile } from './profiles.ts'
import { everywhere, type Sentence, type Untestable, within } from './sentence.ts'
import { WEBHOOK_SENTENCES } from './webhook-sentences.ts'

const NAMED: readonly Profile[] = ['jwt', 'jdbc', 'ldap', 'oauth2']
const BEARER: readonly Profile[] = ['default', 'jwt']
const BASIC: readonly Profile[] = ['default', 'jdbc', 'ldap']
const OAUTH2: readonly Profile[] = ['default', 'oauth2']
const OWNERS: readonly Profile[] = ['default', 'jdbc', 'ldap', 'oauth2']

/**
 * Parts 1.3, 3 to 4.2 and 5 to 8 of the specification ("Authentication Demonstration API and Webhook Receiver"), to the
 * letter. A row of a table is one entry, without its outer bars; rules and paragraphs are cut at their sentences, numbers
 * left out. Headings and heads of tables are not here.
 */
export const SENTENCES = {
  '1.3/default': within(['default'], 'Profiles: the default profile supports all methods.'),
  '1.3/named': within(NAMED, 'The named profiles `jwt`, `jdbc`, `ldap`, `oauth2` select one method.'),
  '1.3/own-endpoints': everywhere('Profile-specific endpoints belong to their profile.'),

  '3.2/1': everywhere('1 | request is not authenticated | 401'),
  '3.2/2': everywhere('2 | no role is required | access granted'),
  '3.2/3': everywhere('3 | a role is required and the user lacks it | 403'),
  '3.2/4': everywhere('4 | no permission is required | access granted'),
  '3.2/5': everywhere("5 | a permission is required and the user's role lacks it | 403"),
  '3.2/6': everywhere('6 | all checks pass | access granted'),

  '3.3/1': everywhere(
    "A form POST to `/login` with username and password is authenticated by the application's own authentication logic.",
  ),
  '3.3/2': everywhere(
    'On success a session is created, the client is redirected to the home page and a `JSESSIONID` cookie is set.',
  ),
  '3.3/3': everywhere(
    'On failure no session is created (the failure response is not detailed beyond 401 semantics in part 7).',
  ),

  '4/json': everywhere('All bodies are JSON unless stated.'),

  '4.1/public-hello': everywhere('GET | /api/public/hello | none | none | all | none | 200'),
  '4.1/auth-login': everywhere(
    'POST | /api/auth/login | none | none | all | form-urlencoded `username`, `password`, both required and non-empty | 200 login result (2.1); 400 validation error when empty',
  ),
  '4.1/auth-info': everywhere(
    'GET | /api/auth/info | any valid authentication | any | all | none | 200 current security context details',
  ),
  '4.1/admin-secure': everywhere(
    'GET | /api/admin/secure | any method (JWT, Basic, OAuth2) | ROLE_ADMIN | all | none | 200; 401; 403 for non-admin',
  ),
  '4.1/user-secure': everywhere(
    'GET | /api/user/secure | any method | ROLE_USER or ROLE_ADMIN | all | none | 200; response may vary by role',
  ),
  '4.1/jdbc-users': within(
    ['default', 'jdbc'],
    'GET | /api/jdbc/users | HTTP Basic (Base64 credentials in Authorization header), database user store | any | jdbc | none | 200; 401 on bad credentials',
  ),
  '4.1/ldap-users': within(
    ['default', 'ldap'],
    'GET | /api/ldap/users | HTTP Basic, directory server; directory groups map to roles | any | ldap | none | 200; 401 on bad credentials',
  ),
  '4.1/oauth2-profile': within(
    OAUTH2,
    'GET | /api/oauth2/profile | session established after OAuth2/OIDC login | any | oauth2 | none | 200 profile of an OAuth2 or traditional user; OAuth2 attributes extracted: email, name, picture',
  ),
  '4.1/login': everywhere(
    'POST | /login | form login | none | all | form fields username and password | redirect to home with `JSESSIONID` cookie',
  ),
  '4.1/users-create': everywhere(
    'POST | /api/users | appears in the error reference | not shown | not shown | not shown | 201 on creation',
  ),
  '4.1/users-delete': everywhere(
    'DELETE | /api/users/{userId} | appears in the error reference | ROLE_ADMIN and permission DELETE on resource type User | all | none | 204 on success; 403 when the method-security expression is false',
  ),
  '4.1/admin-message': everywhere('The admin endpoint returns a body with a string field `message`.'),
  '4.1/greetings': everywhere(
    'Response bodies of /api/public/hello and /api/user/secure, and of /api/admin/secure beyond `message`: not shown.',
  ),
  '4.1/lists': within(
    OWNERS,
    'Response bodies of /api/jdbc/users, /api/ldap/users and /api/oauth2/profile: not shown.',
  ),
  '4.1/users-bodies': everywhere(
    'Request and response bodies of POST /api/users and DELETE /api/users/{userId} beyond the statuses: not shown.',
  ),
  '4.1/oauth2-paths': within(OAUTH2, 'Paths that start OAuth2 login and the OAuth2 callback: not shown.'),
  '4.1/unknown-or-wrong': everywhere(
    'An unknown path returns 404; a known path with a wrong method returns 405 (see part 7).',
  ),

  '5/jwt': within(
    BEARER,
    'JWT | POST /api/auth/login with username and password (no prior authentication needed), then header `Authorization: Bearer <ACCESS_TOKEN>` on each request | stateless; token valid 24 hours by default',
  ),
  '5/basic': within(
    BASIC,
    'HTTP Basic | header `Authorization: Basic <BASE64_CREDENTIALS>` where the value encodes username:password | used on /api/jdbc/users (database users) and /api/ldap/users (directory users)',
  ),
  '5/oauth2': within(
    OAUTH2,
    'OAuth2/OIDC | redirect-based flow with an external identity provider; three external providers are supported; OIDC-compatible | session-based after the flow; profile oauth2',
  ),
  '5/session': everywhere('Session | form login at /login; `JSESSIONID` cookie; CSRF protection applies |'),
  '5/rule-1': everywhere(
    'Request filter order: CSRF check, security-header writer, JWT filter, username/password form filter, authorization check, then the handler.',
  ),
  '5/rule-2': within(
    BEARER,
    'The JWT filter reads the bearer token from the Authorization header, validates it, reads username and roles from the claims and sets the security context.',
  ),
  '5/rule-3': everywhere('The security-header writer adds headers such as X-Content-Type-Options.'),
  '5/rule-4': everywhere(
    'Access decisions follow the table in 3.2; a missing or invalid credential yields 401, a missing role yields 403.',
  ),
  '5/rule-5': everywhere('A 401 for missing authentication carries the header `WWW-Authenticate: Bearer realm="API"`.'),
  '5/rule-6': everywhere('gRPC and WebSocket channels use the same JWT (see 4.3).'),
  '5/rule-7': everywhere('The login endpoint needs no authentication; the public endpoint needs none.'),
  '5/webhook-1-secret': everywhere(
    'A secret is configured per provider (configuration key `webhook.secrets`, a map from provider name to secret; value <SIGNING_SECRET>).',
  ),
  '5/webhook-1-no-secret': everywhere('When no secret exists for a provider, verification returns false.'),
  '5/webhook-2': everywhere(
    'The provider name selects the scheme: provider A, provider B, or a generic HMAC scheme for any other name (case-insensitive).',
  ),
  '5/webhook-3-header': everywhere(
    'Provider A scheme: the signature header holds comma-separated elements of the form `t=<timestamp>,v1=<signature>`.',
  ),
  '5/webhook-3-text': everywhere('The signed text is the timestamp, a dot, then the raw payload.'),
  '5/webhook-3-signature': everywhere(
    'The signature is HMAC-SHA256 of that text with the secret, encoded as lowercase hexadecimal, compared in constant time.',
  ),
  '5/webhook-3-age': everywhere('When the timestamp is older than 300 seconds, verification fails.'),
  '5/webhook-3-parsing': everywhere('Any parsing error makes verification fail.'),
  '5/webhook-4': everywhere(
    'Provider B scheme: a signature header prefixed for SHA-256 is checked; its exact computation: not shown.',
  ),
  '5/webhook-5': everywhere('Generic scheme details (signed text, encoding): not shown.'),
  '5/webhook-6': everywhere(
    'Security layers in order: rate limiter, signature verification, timestamp check (outside the window gives 400 as a replay), processing, audit log.',
  ),
  '5/webhook-7': everywhere(
    'Whether /webhooks/payment itself verifies a signature: not shown; the controller code passes headers on without a check while a sequence diagram shows a check with 401 on failure.',
  ),
  '5/role-at-login': everywhere('Role determination from the username at login (pattern): not shown.'),
  '5/key-material': everywhere('Key material and length for signing JWTs: not shown.'),
  '5/oauth2-clients': within(
    OAUTH2,
    'OAuth2 provider client registration and attribute mapping per provider: not shown.',
  ),

  '7/400-parameters': everywhere(
    '400 | invalid parameters, e.g. empty username and password on login | Bad Request | Validation failed for request parameters | validationErrors: array of objects with field, message, rejectedValue',
  ),
  '7/400-webhook': everywhere(
    '400 | provider A signature failure; webhook outside the time window (replay) | | | plain text or not detailed',
  ),
  '7/401-no-credentials': everywhere(
    '401 | no credentials | Unauthorized | Authentication required | none; header WWW-Authenticate as in part 5',
  ),
  '7/401-invalid-jwt': within(
    BEARER,
    '401 | invalid JWT | Unauthorized | Invalid or expired JWT token | tokenError (string), tokenStatus (e.g. INVALID_SIGNATURE)',
  ),
  '7/401-expired-jwt': within(
    BEARER,
    '401 | expired JWT | Unauthorized | JWT token has expired | tokenError, tokenStatus EXPIRED, expiredAt, currentTime (ISO 8601)',
  ),
  '7/401-basic': within(
    BASIC,
    '401 | bad Basic credentials | Unauthorized | Invalid username or password | authType, reason',
  ),
  '7/401-webhook': everywhere('401 | invalid webhook signature (order-status, provider B) | | Invalid signature |'),
  '7/403-role': everywhere(
    "403 | authenticated but wrong role | Access Denied | You don't have permission to access this resource | requiredRole, userRoles (array), resource, action",
  ),
  '7/403-method': everywhere(
    '403 | method-level security fails | Access Denied | Method access denied | methodSecurity (boolean), expression, evaluationResult (boolean), failedCondition',
  ),
  '7/404': everywhere('404 | path does not exist | Not Found | No endpoint found for the method and path | none'),
  '7/405': everywhere(
    '405 | wrong method for a path | Method Not Allowed | Request method is not supported | requestMethod, supportedMethods (array)',
  ),
  '7/500': everywhere(
    '500 | unhandled exception; payment webhook processing failure | Internal Server Error | | webhook response shape for webhooks',
  ),
  '7/503': everywhere('503 | service temporarily down | | |'),
  '7/rule-1': everywhere('Every error body follows 2.3 with `path` set to the request path.'),
  '7/rule-2-kinds': within(BEARER, 'JWT error kinds: invalid signature, expired, malformed, missing claims.'),
  '7/rule-2-others': within(
    BEARER,
    'Only INVALID_SIGNATURE and EXPIRED have a tokenStatus value shown; other tokenStatus values: not shown.',
  ),
  '7/rule-3': everywhere('A 403 may add details naming the user and required and held authorities.'),
  '7/rule-4': within(
    BEARER,
    'After an EXPIRED token the client obtains a new token by calling POST /api/auth/login; there is no refresh endpoint.',
  ),
  '7/rule-5': everywhere('Error bodies for 500 and 503 on the API (other than webhooks): not shown.'),
  '7/rule-6': everywhere('Status returned when a webhook body fails validation: not shown.'),

  ...WEBHOOK_SENTENCES,
} as const satisfies Record<string, Sentence | Untestable>

export type SentenceId = keyof typeof SENTENCES

/** The sentences that have to have a test. */
export type TestableId = {
  [I in SentenceId]: (typeof SENTENCES)[I] extends Sentence ? I : never
}[SentenceId]
