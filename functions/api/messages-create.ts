import * as z from 'zod'
import { makeMessages } from '../../lib/app/messages.ts'
import { type About, jsonAnswer } from '../../lib/contract/about.ts'
import { ANY_CREDENTIALS, PUBLISH } from '../../lib/contract/grants.ts'
import { messageToSend } from '../../lib/contract/requests/message-to-send.ts'
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
    202: jsonAnswer(
      'It is on its way. The header `api-message-id` of the message holds the id.',
      z.strictObject({ messageId: z.uuid() }).meta({ id: 'SentMessage' }),
      { messageId: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11' },
    ),
  },
  grants: [...ANY_CREDENTIALS, PUBLISH],
})

export async function start() {
  const app = await makeMessages()
  return endpoint(route, app, json(messageToSend), async ({ principal, input }) =>
    accepted(await sendMessage(app, input, principal.username)),
  )
}
