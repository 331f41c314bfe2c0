import * as z from 'zod/mini'
import { makeMessages } from '../../lib/app/messages.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { sentMessage } from '../../lib/contract/answers/operation.ts'
import { ANY_CREDENTIALS, PUBLISH } from '../../lib/contract/grants.ts'
import { closed, DESTINATION_NAME } from '../../lib/contract/requests/fields.ts'
import type { Route } from '../../lib/contract/route.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { accepted } from '../../lib/http/message.ts'
import { sendMessage } from '../../lib/messages/send.ts'

export const route = {
  method: 'POST',
  path: '/api/messages',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'message.sent' },
} as const satisfies Route

const PUBLIC = '/topic/public/'
const OF_USER = '/user/[^/\\p{Cc}\\p{Cs}]{1,256}/queue/'
/** Of a destination over HTTP. */
export const DESTINATION_FORM = new RegExp(`^(?:${PUBLIC}|${OF_USER})${DESTINATION_NAME}$`, 'u')
const NOTICES = /^\/user\/[^/]+\/queue\/notices$/

const RULE = 'must be /topic/public/<name> or /user/<user>/queue/<name>'

/** A message to clients of the channels: its body is a text or any other JSON. */
export const messageToSend = closed({
  destination: z.string(RULE).check(
    z.regex(DESTINATION_FORM, RULE),
    z.refine((text) => !NOTICES.test(text), 'must not be the notices of the server'),
  ),
  body: z.unknown().check(z.refine((value) => value !== undefined, 'is required')),
})

export const about = (): About => ({
  tag: 'Messages',
  summary: 'Send a message to STOMP subscribers',
  description:
    '`/topic/public/<name>` reaches all its subscribers. `/user/<user>/queue/<name>` reaches the sessions of that user with a subscription to `/user/queue/<name>`, except `/user/queue/notices`. A text arrives as `text/plain`, any other JSON as `application/json`. The message is not stored: a client without a subscription at that moment misses it. An account at an identity provider, such as `google:1234`, is not looked up.',
  reads: { json: messageToSend },
  bodyExample: { destination: '/topic/public/news', body: { text: 'hello' } },
  refuses: ['USER_NOT_FOUND'],
  sample: { json: {}, granted: 400 },
  answers: {
    202: jsonAnswer('It is on its way. The header `api-message-id` of the message holds the id.', sentMessage, {
      messageId: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11',
    }),
  },
  grants: [...ANY_CREDENTIALS, PUBLISH],
})

export async function start() {
  const app = await makeMessages()
  return endpoint(route, app, json(messageToSend), async ({ principal, input }) =>
    accepted(await sendMessage(app, input, principal.username)),
  )
}
