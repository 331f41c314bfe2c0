import { makeUsers } from '../../lib/app/users.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { noContent } from '../../lib/http/message.ts'
import { permissionRefusal } from '../../lib/http/middleware/authorize.ts'
import { removeUser } from '../../lib/users/manage.ts'

const app = await makeUsers()

export const handler = endpoint('usersDelete', app, async ({ event, parameters, principal }) => {
  const refuse = () => permissionRefusal(event, 'usersDelete', principal.roles)
  await removeUser(app.users, parameters['userId'] ?? '', { uid: principal.uid, refuse })
  return noContent()
})
