import { expect } from 'vitest'
import { type Answer, challengeOf } from '../support/client.ts'

/** What an error is expected to say (http-17), besides its time. */
export interface Refusal {
  readonly status: number
  readonly message: string
  readonly path: string
  readonly details?: object
  readonly challenge?: string
}

const CATEGORIES: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Access Denied',
  404: 'Not Found',
  405: 'Method Not Allowed',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** The whole body and the challenge, nothing more and nothing less. */
export function expectRefusal(answer: Answer, { challenge, ...body }: Refusal, who = ''): void {
  const { status, headers, json } = answer
  expect(json, who).toEqual({
    timestamp: expect.stringMatching(INSTANT),
    error: CATEGORIES[body.status],
    ...body,
  })
  expect(status, who).toBe(body.status)
  expect(challengeOf(answer), who).toBe(challenge)
  expect(headers['content-type'], who).toContain('application/json')
}

const BEARER = 'Bearer realm="API"'
const BASIC = 'Basic realm="API", charset="UTF-8"'
const WRONG_PASSWORD = 'Invalid username or password'
const INVALID_TOKEN = `${BEARER}, error="invalid_token"`

/** No challenge fits a session, so an endpoint that takes nothing else says so. */
const SESSION = { reason: 'This endpoint takes the session of a login: log in at /login', accepted: ['session'] }

export const noCredentials = (path: string): Refusal => ({
  status: 401,
  message: 'Authentication required',
  path,
  ...(path === '/api/oauth2/profile' && { details: SESSION }),
  challenge: BEARER,
})

/** Of a call whose credentials are of a kind that does not count there. */
export const notAccepted = (path: string): Refusal => ({
  ...noCredentials(path),
  details: expect.objectContaining({ reason: expect.stringMatching(/\w/) }),
})

export const badBasic = (path: string): Refusal => ({
  status: 401,
  message: WRONG_PASSWORD,
  path,
  details: { authType: 'Basic Authentication', reason: 'Bad credentials' },
  challenge: BASIC,
})

export const badLogin = (path: string): Refusal => ({
  status: 401,
  message: WRONG_PASSWORD,
  path,
  details: { authType: 'Login', reason: 'Bad credentials' },
  challenge: BEARER,
})

export const badToken = (path: string, tokenStatus: string): Refusal => ({
  status: 401,
  message: 'Invalid or expired JWT token',
  path,
  details: { tokenStatus, tokenError: expect.stringMatching(/\w/) },
  challenge: INVALID_TOKEN,
})

export const expiredToken = (path: string, expiredAt: Date): Refusal => ({
  status: 401,
  message: 'JWT token has expired',
  path,
  details: {
    tokenStatus: 'EXPIRED',
    tokenError: expect.stringMatching(/\w/),
    expiredAt: expiredAt.toISOString(),
    currentTime: expect.stringMatching(INSTANT),
  },
  challenge: INVALID_TOKEN,
})

/** Of an endpoint that is read with GET. */
export const wrongRole = (path: string, requiredRole: string, userRoles: readonly string[]): Refusal => ({
  status: 403,
  message: "You don't have permission to access this resource",
  path,
  details: { requiredRole, userRoles, resource: path, action: 'GET' },
})

export const csrfRefused = (path: string): Refusal => ({
  status: 403,
  message: 'Invalid CSRF token',
  path,
  details: { reason: expect.stringContaining('JSESSIONID') },
})

export const originRefused = (path: string, origin: string): Refusal => ({
  status: 403,
  message: 'Origin is not trusted',
  path,
  details: { origin, setting: 'TRUSTED_ORIGINS' },
})

export const unknownPath = (path: string): Refusal => ({
  status: 404,
  message: 'No endpoint found for the method and path',
  path,
})

export const wrongMethod = (path: string, requestMethod: string, supportedMethods: readonly string[]): Refusal => ({
  status: 405,
  message: 'Request method is not supported',
  path,
  details: { requestMethod, supportedMethods },
})
