import { makeUserList } from '../../lib/app/users.ts'
import { userPage } from '../../lib/contract/requests/user-page.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { query } from '../../lib/http/query.ts'
import { listUsers } from '../../lib/users/list.ts'

const app = await makeUserList()

export const handler = endpoint('users', app, query(userPage), async ({ input }) =>
  ok(await listUsers(app.users, input)),
)
