import * as z from 'zod/mini'
import { makeKeys } from '../../lib/app/keys.ts'
import { createKey } from '../../lib/auth/keys/manage.ts'
import type { About } from '../../lib/contract/about.ts'
import { newApiKey } from '../../lib/contract/answers/accounts.ts'
import { jsonContent } from '../../lib/contract/answers/shapes.ts'
import { API_KEY } from '../../lib/contract/examples.ts'
import { ANY_CREDENTIALS, each } from '../../lib/contract/grants.ts'
import { closed, label, localTime, matching, SOURCE_NAME } from '../../lib/contract/requests/fields.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { created } from '../../lib/http/message.ts'

export const route = {
  method: 'POST',
  path: '/api/keys',
  access: { role: 'ROLE_ADMIN' },
  loginWithinSeconds: 300,
  audit: { action: 'key.created', names: ['sources'] },
} as const satisfies Route

const SOURCES = 'must be a list of 1 to 50 names of sources'

export const newKey = closed({
  name: label(),
  sources: z.optional(
    z.pipe(
      z
        .array(matching(SOURCE_NAME, 'must be the name of a source'), SOURCES)
        .check(z.minLength(1, SOURCES), z.maxLength(50, SOURCES)),
      z.transform((names) => [...new Set(names)]),
    ),
  ),
  expiresAt: z.optional(localTime()),
})

const WRITTEN = 'createdAt createdBy expiresAt lastUsedAt loginAt name secretHash sources ttl uid'

export const about = (): About => ({
  tag: 'Keys',
  summary: 'Create an API key',
  description: 'Only this answer contains the key itself: the service stores a hash.',
  reads: { json: newKey },
  bodyExample: { name: 'warehouse', sources: ['stripe'], expiresAt: '2027-11-21T07:00:00.000' },
  sample: { json: {}, granted: 400 },
  refuses: ['KEYS_ELSEWHERE'],
  answers: {
    201: {
      description: 'The new key.',
      headers: ['location'],
      example: { ...API_KEY, lastUsedAt: null, key: `ghk_${API_KEY.id}_${'x'.repeat(43)}` },
      content: jsonContent(newApiKey),
    },
  },
  grants: [...ANY_CREDENTIALS, { KeysTable: each('PutItem', WRITTEN) }],
})

export async function start() {
  const app = await makeKeys()
  return endpoint(route, app, json(newKey), async ({ principal, input }) => {
    const key = await createKey(app, input, principal)
    return created(key, `/api/keys/${key.id}`)
  })
}
