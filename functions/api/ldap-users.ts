import { makeDirectory } from '../../lib/app/ldap.ts'
import { enabledUsers, userList } from '../../lib/auth/directory.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

const app = await makeDirectory()

export const handler = endpoint('ldapUsers', app, async ({ principal }) =>
  ok(await userList('LDAP Authentication Demo', principal, (limit) => enabledUsers(app.directory, limit))),
)
