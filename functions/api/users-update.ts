import { makeUsers } from '../../lib/app/users.ts'
import { hashPassword } from '../../lib/auth/password.ts'
import { changedUser } from '../../lib/contract/requests/changed-user.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { ok } from '../../lib/http/message.ts'
import { permissionRefusal } from '../../lib/http/middleware/authorize.ts'
import { shownUser } from '../../lib/users/list.ts'
import { changeUser } from '../../lib/users/manage.ts'

const app = { ...(await makeUsers()), hash: hashPassword }

export const handler = endpoint('usersUpdate', app, json(changedUser), async (request) => {
  const { event, parameters, principal, input } = request
  const refuse = () => permissionRefusal(event, 'usersUpdate', principal.roles)
  const user = await changeUser(app, parameters['userId'] ?? '', input, { uid: principal.uid, refuse })
  return ok(shownUser(user))
})
