import { makeNewUsers } from '../../lib/app/users.ts'
import { hashPassword } from '../../lib/auth/password.ts'
import { newUser } from '../../lib/contract/requests/new-user.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { created } from '../../lib/http/message.ts'
import { createUser } from '../../lib/users/manage.ts'

const app = await makeNewUsers()

export const handler = endpoint('usersCreate', app, json(newUser), async ({ input }) => {
  const user = await createUser(app.users, app, hashPassword, input, app.directory)
  return created(user, `/api/users/${user.id}`)
})
