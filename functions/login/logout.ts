import { makeLogout } from '../../lib/app/login.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { logOut } from '../../lib/http/own-session.ts'

const app = await makeLogout()

export const handler = endpoint('logout', app, ({ event }) => logOut(event, app))
