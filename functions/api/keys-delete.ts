import { makeKeys } from '../../lib/app/keys.ts'
import { deleteKey } from '../../lib/auth/keys/manage.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'

const app = await makeKeys()

export const handler = endpoint('keysDelete', app, async ({ parameters, principal }) => {
  await deleteKey(app, parameters['id'] ?? '', principal.username)
  return noContent()
})
