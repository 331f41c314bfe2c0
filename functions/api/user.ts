import { makeUserList } from '../../lib/app/users.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'
import { findUser } from '../../lib/users/list.ts'

const app = await makeUserList()

export const handler = endpoint('user', app, async ({ parameters }) =>
  ok(await findUser(app.users, parameters['userId'] ?? '')),
)
