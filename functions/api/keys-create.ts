import { makeKeys } from '../../lib/app/keys.ts'
import { createKey } from '../../lib/auth/keys/manage.ts'
import { newKey } from '../../lib/contract/requests/new-key.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { created } from '../../lib/http/message.ts'

const app = await makeKeys()

export const handler = endpoint('keysCreate', app, json(newKey), async ({ principal, input }) => {
  const key = await createKey(app, input, principal.username)
  return created(key, `/api/keys/${key.id}`)
})
