import { makeDatabase } from '../../lib/app/basic.ts'
import { userList } from '../../lib/auth/directory.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

const app = makeDatabase()

export const handler = endpoint('jdbcUsers', app, async ({ principal }) =>
  ok(await userList('JDBC Authentication Demo', principal, async (limit) => (await app.users.page(limit)).users)),
)
