import { makePublic } from '../../lib/app/edge.ts'
import { greetAnybody } from '../../lib/auth/principal.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

const app = makePublic()

export const handler = endpoint('publicHello', app, () => ok(greetAnybody()))
