import { app } from '../../lib/app/public.ts'
import { greetAnybody } from '../../lib/auth/principal.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { ok } from '../../lib/http/message.ts'

export const handler = endpoint('publicHello', app, () => ok(greetAnybody()))
