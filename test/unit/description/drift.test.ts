import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../../infra/description/openapi.ts'
import { describedBy } from '../../support/described.ts'

const SECURITY = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  'x-xss-protection': '0',
}

interface Recorded {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly json: object
}

const JSON_HEADERS = { ...SECURITY, 'content-type': 'application/json; charset=utf-8' }
const EVENT = {
  id: '3804000000000000000',
  source: 'payment',
  eventId: 'evt-1',
  eventType: 'PAYMENT',
  status: 'FAILED',
  receivedAt: '2026-11-21T07:00:00.000',
  processedAt: null,
  attempts: 3,
  nextRetryAt: null,
  dead: true,
  errorMessage: 'transaction belongs to another order or currency',
  outcome: null,
  proof: { level: 'full', key: 'payment#1', signedAt: '2026-11-21T06:59:58.000Z' },
  possibleDuplicateOf: null,
  idConflict: null,
  itemCount: null,
}

/** As the service answered. */
const login: Recorded = {
  method: 'POST',
  path: '/api/auth/login',
  status: 200,
  headers: JSON_HEADERS,
  json: {
    token: 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJl',
    username: 'admin',
    role: 'ROLE_ADMIN',
    message: 'Login successful - use this JWT token for authenticated requests',
    usage: 'Add header: Authorization: Bearer <ACCESS_TOKEN>',
  },
}
const list: Recorded = {
  method: 'GET',
  path: '/api/webhooks/events?status=FAILED&limit=1',
  status: 200,
  headers: JSON_HEADERS,
  json: { events: [EVENT], nextCursor: null },
}
const wrongRole: Recorded = {
  method: 'GET',
  path: '/api/admin/secure',
  status: 403,
  headers: JSON_HEADERS,
  json: {
    timestamp: '2026-11-21T07:00:00.000Z',
    status: 403,
    error: 'Access Denied',
    message: "You don't have permission to access this resource",
    details: {
      requiredRole: 'ROLE_ADMIN',
      userRoles: ['ROLE_USER'],
      resource: '/api/admin/secure',
      action: 'GET',
    },
    path: '/api/admin/secure',
  },
}

const document = openApiDocument()
const judge = describedBy(document)

function judged({ method, path, status, headers, json }: Recorded, by = judge): readonly string[] {
  return by(method, path, { status, headers, json, text: JSON.stringify(json) })
}

/** By the description with a field of one schema under another name. */
function renamed(schema: string, field: string, name: string): typeof judge {
  const changed = JSON.parse(JSON.stringify(document))
  const { schemas } = changed.components
  schemas[schema] = JSON.parse(JSON.stringify(schemas[schema]).replaceAll(`"${field}"`, `"${name}"`))
  return describedBy(changed)
}

describe('an answer that matches its description', () => {
  it.each([login, list, wrongRole])('$method $path: $status is accepted', (recorded) => {
    expect(judged(recorded)).toEqual([])
  })
})

describe('drift is found', () => {
  it.each([
    ['Login', 'token', login],
    ['WebhookEventList', 'nextCursor', list],
    ['WebhookEvent', 'eventId', list],
    ['Proof', 'signedAt', list],
    ['RoleRequired', 'userRoles', wrongRole],
  ] as const)('when in %s the field %s is renamed in the description', (schema, field, recorded) => {
    const faults = judged(recorded, renamed(schema, field, 'another'))
    expect(faults.join()).toContain('another')
    expect(faults.join()).toContain('must NOT have additional properties')
  })

  it.each([
    ['an undeclared field', { json: { ...login.json, extra: 1 } }, 'additional properties'],
    ['a missing field', { json: { ...login.json, token: undefined } }, 'token'],
    ['a value of another type', { json: { ...login.json, role: 'ROLE_OWNER' } }, 'role'],
    ['an undeclared status', { status: 201 }, '201 is not described'],
    [
      'another media type',
      { headers: { ...JSON_HEADERS, 'content-type': 'text/html' } },
      'the media type is text/html',
    ],
    ['an undeclared header', { headers: { ...JSON_HEADERS, 'x-powered-by': 'x' } }, 'x-powered-by is not'],
    ['a missing security header', { headers: { 'content-type': 'application/json' } }, 'Cache-Control is missing'],
    [
      'a security header with another value',
      { headers: { ...JSON_HEADERS, 'x-frame-options': 'SAMEORIGIN' } },
      'X-Frame-Options is',
    ],
  ])('in an answer: %s', (_, change, fault) => {
    expect(judged({ ...login, ...change }).join()).toContain(fault)
  })
})
