import { makeApi } from '../../lib/app/checks.ts'
import { greet } from '../../lib/auth/principal.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

const app = await makeApi()

export const handler = endpoint('adminSecure', app, ({ principal }) => ok(greet(principal)))
