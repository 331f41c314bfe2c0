import type * as z from 'zod'
import { eventQuery } from '../../lib/contract/requests/event-filter.ts'
import { loginForm } from '../../lib/contract/requests/login.ts'
import { newReplay } from '../../lib/contract/requests/new-replay.ts'
import { newUser } from '../../lib/contract/requests/new-user.ts'
import { retryOrder } from '../../lib/contract/requests/retry-order.ts'
import type { RESPONSES } from '../../lib/contract/responses.ts'
import type { EndpointName } from '../../lib/contract/routes.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import { SCHEMES } from '../../lib/webhooks/schemes/table.ts'
import { orderStatusPayload } from '../../lib/webhooks/sources/order-status.ts'
import { paymentPayload } from '../../lib/webhooks/sources/payment.ts'
import type { HeaderKey } from './headers.ts'

/** What an endpoint makes of a request; each kind has its own refusals. */
export interface Reads {
  readonly form?: z.core.$ZodType
  /** Fields of a form that are looked up one by one; what is missing counts as empty. */
  readonly fields?: z.core.$ZodType
  readonly json?: z.core.$ZodType
  readonly query?: z.core.$ZodObject
  /** A body signed by one of these schemes. */
  readonly signed?: readonly (keyof typeof SCHEMES)[]
  /** The parameters of a provider's question, with what each is for. */
  readonly challenge?: Readonly<Record<string, string>>
}

export interface Answer {
  readonly description: string
  /** What it has beside the headers of every answer. */
  readonly headers?: readonly HeaderKey[]
  readonly example?: unknown
}

export interface Operation {
  readonly tag: keyof typeof TAGS
  readonly summary: string
  readonly description?: string
  readonly reads?: Reads
  /** Whether a call without a body is fine, where there is one. */
  readonly isBodyOptional?: true
  /** The payload of a webhook, where it is ours to say. */
  readonly payload?: z.core.$ZodType
  /** Parameters of the query that are taken as they come. */
  readonly parameters?: Readonly<Record<string, string>>
  /** What the endpoint itself refuses, beside what its declaration implies. */
  readonly refuses?: readonly ErrorCode[]
  readonly answers: Readonly<Record<number, Answer>>
}

export const TAGS = {
  Greetings: 'One resource for each way in.',
  Login: 'Tokens, sessions and the pages of a browser.',
  Users: 'Users of the database and of the directory.',
  Operators: 'What became of webhook events, and having them run again.',
  Webhooks: 'Signed events of providers.',
  Description: 'This description.',
} as const

const HELLO = { message: 'Hello, Admin! (secured endpoint)', user: 'admin', authorities: [{ authority: 'ROLE_ADMIN' }] }
const EVENT = {
  id: '3804000000000000000',
  source: 'payment',
  eventId: 'evt-1',
  eventType: 'PAYMENT',
  status: 'PROCESSED',
  receivedAt: '2026-11-21T07:00:00.000',
  processedAt: '2026-11-21T07:00:00.012',
  attempts: 0,
  nextRetryAt: null,
  dead: false,
  errorMessage: null,
  outcome: null,
}
const REPLAY = { replayId: 'shop-outage', state: 'RUNNING', matched: 200, done: 0, failed: 0 }
const ACCEPTED = {
  success: true,
  message: 'Webhook processed successfully',
  timestamp: '2026-11-21T07:00:00.000',
}
const DUPLICATE = 'A second delivery of an event changes nothing and is acknowledged like the first.'
const OWN_HOST: Answer = { description: 'To the host name that the cookies belong to.', headers: ['location'] }
const UNCHANGED: Answer = {
  description: 'What the caller has is still good.',
  headers: ['entityTag', 'revalidation', 'vary'],
}

/** The header of each provider, as a table of the description. */
const PROVIDERS = Object.entries(SCHEMES)
  .map(
    ([name, { header = 'in the body' }]: readonly [string, { readonly header?: string }]) => `| ${name} | ${header} |`,
  )
  .join('\n')

type Operations = {
  readonly [N in EndpointName]: Operation & {
    readonly answers: { readonly [S in keyof (typeof RESPONSES)[N]]: Answer }
  }
}

/** What is said of each endpoint beside its route. */
export const OPERATIONS = {
  publicHello: {
    tag: 'Greetings',
    summary: 'Greet anybody',
    answers: {
      200: {
        description: 'A greeting; credentials are ignored.',
        example: { message: 'Hello, world! (public endpoint - no authentication required)' },
      },
    },
  },
  authLogin: {
    tag: 'Login',
    summary: 'Get a token for a name and a password',
    reads: { form: loginForm.schema },
    refuses: ['BAD_CREDENTIALS', 'TOO_MANY_REQUESTS'],
    answers: {
      200: {
        description: 'A JWT for the `Authorization` header, here and over gRPC and STOMP.',
        example: {
          token: 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJl',
          username: 'admin',
          role: 'ROLE_ADMIN',
          message: 'Login successful - use this JWT token for authenticated requests',
          usage: 'Add header: Authorization: Bearer <ACCESS_TOKEN>',
        },
      },
    },
  },
  authInfo: {
    tag: 'Login',
    summary: 'Tell who the caller is',
    answers: {
      200: {
        description: 'Who, how they proved it and until when it counts.',
        example: {
          authenticated: true,
          username: 'admin',
          authorities: [{ authority: 'ROLE_ADMIN' }],
          authType: 'JWT',
          principalType: 'JwtUser',
          tokenExpiresAt: '2026-11-22T07:00:00.000Z',
        },
      },
    },
  },
  adminSecure: {
    tag: 'Greetings',
    summary: 'Greet an admin',
    answers: { 200: { description: 'A greeting.', example: { ...HELLO, authType: 'JWT' } } },
  },
  userSecure: {
    tag: 'Greetings',
    summary: 'Greet a user or an admin',
    answers: { 200: { description: 'A greeting.', example: { ...HELLO, authType: 'JDBC' } } },
  },
  jdbcUsers: {
    tag: 'Users',
    summary: 'List the users of the database',
    answers: {
      200: {
        description: 'All users to an admin, themselves to a user.',
        example: {
          message: 'JDBC Authentication Demo',
          user: 'jdbcuser',
          users: [{ username: 'jdbcuser', roles: ['ROLE_USER'], enabled: true }],
        },
      },
    },
  },
  ldapUsers: {
    tag: 'Users',
    summary: 'List the users of the directory',
    answers: {
      200: {
        description: 'All users to an admin, themselves to a user.',
        example: {
          message: 'LDAP Authentication Demo',
          user: 'ldapuser',
          users: [{ username: 'ldapuser', roles: ['ROLE_USER'], enabled: true }],
        },
      },
    },
  },
  oauth2Profile: {
    tag: 'Users',
    summary: 'Show what the identity provider told of the caller',
    answers: {
      200: {
        description: 'The profile of a login with a provider; less of a login with the form.',
        example: {
          message: 'OAuth2 Authentication Demo',
          user: 'google:108',
          provider: 'google',
          email: 'ada@example.com',
          name: 'Ada',
          picture: null,
          attributes: { sub: '108', name: 'Ada', email: 'ada@example.com', email_verified: true },
        },
      },
    },
  },
  oauth2Steps: {
    tag: 'Users',
    summary: 'Show how the login with the identity provider went',
    description: 'What was asked and answered at each step, and what was checked. No secret is kept whole.',
    refuses: ['LOGIN_STEPS_NOT_FOUND'],
    answers: {
      200: {
        description: 'The steps of the login that the session began with.',
        example: {
          provider: 'google',
          at: '2026-11-21T07:00:00.000Z',
          steps: [
            {
              name: 'callback',
              method: 'GET',
              url: 'https://gatehouse.example/login/oauth2/code/google',
              sent: [
                { name: 'state', value: '3kP0…' },
                { name: 'code', value: '4/0A…' },
              ],
              checks: [
                { name: 'state', result: 'PASSED', value: '3kP0…' },
                { name: 'iss', result: 'NOT_SENT' },
              ],
            },
          ],
        },
      },
    },
  },
  usersCreate: {
    tag: 'Users',
    summary: 'Create a user of the database',
    reads: { json: newUser },
    refuses: ['USER_EXISTS'],
    answers: {
      201: {
        description: 'The new user.',
        headers: ['location'],
        example: { id: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11', username: 'ada', role: 'ROLE_USER' },
      },
    },
  },
  usersDelete: {
    tag: 'Users',
    summary: 'Delete a user of the database',
    description: 'Nobody can delete themselves or the last admin.',
    refuses: ['USER_NOT_FOUND'],
    answers: { 204: { description: 'The user is gone, and so are their sessions.' } },
  },
  home: {
    tag: 'Login',
    summary: 'Show the home page',
    parameters: { endpoint: 'Explains why the endpoint of that name would let the caller in.' },
    answers: {
      200: { description: 'A page: who is logged in, and the way out.', headers: ['policy'] },
      302: OWN_HOST,
    },
  },
  loginPage: {
    tag: 'Login',
    summary: 'Show the login page',
    parameters: {
      error: 'Shows that a login failed.',
      throttled: 'Shows that there were too many attempts.',
      unavailable: 'Shows that no login can be checked.',
      logout: 'Shows that the caller is logged out.',
    },
    answers: {
      200: {
        description: 'A page: the form, with a CSRF token, and the identity providers.',
        headers: ['policy', 'cookies'],
      },
      302: OWN_HOST,
    },
  },
  loginForm: {
    tag: 'Login',
    summary: 'Begin a session',
    description: 'A browser that is refused is sent back to the login page.',
    reads: { fields: loginForm.schema },
    refuses: ['BAD_CREDENTIALS', 'TOO_MANY_REQUESTS'],
    answers: {
      302: {
        description: 'To `/`, with the cookies of a session; without them to `/login`, which says why.',
        headers: ['location', 'cookiesIfAny'],
      },
    },
  },
  logout: {
    tag: 'Login',
    summary: 'End the session',
    parameters: { everywhere: '`true` ends all sessions of the user.' },
    answers: {
      302: { description: 'To `/login?logout`, without the cookies.', headers: ['location', 'cookies'] },
    },
  },
  oauth2Start: {
    tag: 'Login',
    summary: 'Log in with an identity provider',
    parameters: { returnTo: 'A path to come back to.' },
    answers: {
      302: { description: 'To the provider, or to our own host name.', headers: ['location', 'cookiesIfAny'] },
    },
  },
  oauth2Callback: {
    tag: 'Login',
    summary: 'Come back from an identity provider',
    parameters: {
      state: 'What the login began with.',
      code: "The provider's code.",
      error: 'Why the provider refuses.',
      iss: 'Who the provider is (RFC 9207).',
    },
    answers: {
      302: {
        description: 'To where the login began, with a session; to `/login?error` without one.',
        headers: ['location', 'cookiesIfAny'],
      },
    },
  },
  consolePage: {
    tag: 'Login',
    summary: 'Show a page of the console',
    answers: { 200: { description: 'A page that its script fills.', headers: ['policy'] }, 302: OWN_HOST },
  },
  consoleAsset: {
    tag: 'Login',
    summary: 'Get a file of the pages',
    answers: {
      200: { description: 'The file, whose name changes with it.', headers: ['encoding', 'keeping', 'vary'] },
    },
  },
  webhookEvents: {
    tag: 'Operators',
    summary: 'List webhook events',
    description:
      'Newest first. A page may hold fewer events than its limit, or none, and still name a `nextCursor`; the end is where that is `null`.',
    reads: { query: eventQuery },
    answers: { 200: { description: 'One page.', example: { events: [EVENT], nextCursor: null } } },
  },
  webhookEvent: {
    tag: 'Operators',
    summary: 'Show one webhook event',
    refuses: ['EVENT_NOT_FOUND'],
    answers: {
      200: {
        description: 'The event with payload, headers and history.',
        example: {
          ...EVENT,
          payload: '{"eventId":"evt-1"}',
          payloadEncoding: 'utf8',
          payloadTruncated: false,
          headers: { 'content-type': 'application/json' },
          history: [{ at: '2026-11-21T07:00:00.000', status: 'PROCESSED', by: 'intake', error: null }],
        },
      },
    },
  },
  webhookEventPayload: {
    tag: 'Operators',
    summary: 'Get the whole payload of a webhook event',
    description: 'Of the type that its sender named, as a file: browsers neither show nor run it.',
    refuses: ['EVENT_NOT_FOUND'],
    answers: { 200: { description: 'The bytes as they came.', headers: ['disposition', 'policy'] } },
  },
  webhookEventRetry: {
    tag: 'Operators',
    summary: 'Have a failed event run again',
    description: 'Its attempts start anew.',
    reads: { json: retryOrder },
    isBodyOptional: true,
    refuses: ['EVENT_NOT_FOUND', 'EVENT_NOT_FAILED'],
    answers: {
      202: {
        description: 'It will run at once.',
        example: {
          ...EVENT,
          status: 'FAILED',
          processedAt: null,
          nextRetryAt: EVENT.receivedAt,
          errorMessage: 'Order',
        },
      },
    },
  },
  replaysCreate: {
    tag: 'Operators',
    summary: 'Have all failed events that match a filter run again',
    reads: { json: newReplay },
    refuses: ['REPLAY_EXISTS'],
    answers: {
      200: { description: 'How many a dry run counted.', example: { matched: 200 } },
      202: { description: 'The replay has begun.', example: REPLAY },
    },
  },
  replay: {
    tag: 'Operators',
    summary: 'Tell how far a replay has come',
    refuses: ['REPLAY_NOT_FOUND'],
    answers: { 200: { description: 'How far it is.', example: { ...REPLAY, state: 'DONE', done: 199, failed: 1 } } },
  },
  webhookPayment: {
    tag: 'Webhooks',
    summary: 'Take a payment event',
    description: `On a local run it may go unsigned. ${DUPLICATE}`,
    reads: { signed: ['generic'] },
    payload: paymentPayload,
    answers: { 200: { description: 'It is stored, together with its effect.', example: ACCEPTED } },
  },
  webhookOrderStatus: {
    tag: 'Webhooks',
    summary: 'Take the status of an order',
    description: DUPLICATE,
    reads: { signed: ['generic'] },
    payload: orderStatusPayload,
    answers: { 200: { description: 'It is stored, together with its effect.', example: ACCEPTED } },
  },
  webhookStripe: {
    tag: 'Webhooks',
    summary: 'Take an event of Stripe',
    description: DUPLICATE,
    reads: { signed: ['stripe'] },
    answers: { 200: { description: 'It is stored.', example: 'Webhook received' } },
  },
  webhookGithub: {
    tag: 'Webhooks',
    summary: 'Take an event of GitHub',
    description: DUPLICATE,
    reads: { signed: ['github'] },
    answers: { 200: { description: 'It is stored.', example: 'Webhook received' } },
  },
  webhookProvider: {
    tag: 'Webhooks',
    summary: 'Take an event of any provider',
    description: `Each provider signs in its own way; every other name has the generic scheme. ${DUPLICATE}\n\n| provider | header |\n|---|---|\n${PROVIDERS}`,
    reads: { signed: Object.keys(SCHEMES) as (keyof typeof SCHEMES)[] },
    answers: {
      200: { description: 'It is stored, or the handshake of the provider is answered.' },
      204: { description: 'The handshake of the provider is answered.' },
    },
  },
  webhookChallenge: {
    tag: 'Webhooks',
    summary: 'Answer the question of a provider whether the address is ours',
    reads: {
      challenge: {
        challenge: 'What dropbox wants to have back.',
        'hub.challenge': 'What meta wants to have back.',
        'hub.mode': 'From meta: `subscribe`.',
        'hub.verify_token': 'From meta: the token that the owner of the address chose.',
      },
    },
    answers: { 200: { description: 'The challenge.', example: '1158201444' } },
  },
  openapi: {
    tag: 'Description',
    summary: 'Describe the API',
    answers: {
      200: { description: 'This document.', headers: ['encoding', 'entityTag', 'revalidation', 'vary'] },
      304: UNCHANGED,
    },
  },
  docs: {
    tag: 'Description',
    summary: 'Show this description as a page',
    answers: { 200: { description: 'A page: Swagger UI.', headers: ['policy'] } },
  },
  docsAsset: {
    tag: 'Description',
    summary: 'Get a file of that page',
    answers: {
      200: { description: 'The file.', headers: ['encoding', 'entityTag', 'revalidation', 'vary'] },
      304: UNCHANGED,
    },
  },
} as const satisfies Operations
