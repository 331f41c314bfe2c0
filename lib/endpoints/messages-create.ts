import * as z from 'zod'
import { messageToSend } from '../contract/requests/message-to-send.ts'
import { jsonContent } from '../contract/schemas.ts'
import type { About } from './about.ts'
import { ANY_CREDENTIALS, PUBLISH } from './grants.ts'
import type { Route } from './route.ts'
import type { SampleRequest } from './sample-request.ts'

export const route = {
  method: 'POST',
  path: '/api/messages',
  access: { role: 'ROLE_ADMIN' },
  audit: { action: 'message.sent' },
} as const satisfies Route

export const sampleRequest = { json: {}, granted: 400 } as const satisfies SampleRequest

export const about = () =>
  ({
    tag: 'Messages',
    summary: 'Send a message to STOMP subscribers',
    description:
      '`/topic/public/<name>` reaches all its subscribers. `/user/<user>/queue/<name>` reaches the sessions of that user with a subscription to `/user/queue/<name>`, except `/user/queue/notices`. A text arrives as `text/plain`, any other JSON as `application/json`. The message is not stored: a client without a subscription at that moment misses it. An account at an identity provider, such as `google:1234`, is not looked up.',
    reads: { json: messageToSend },
    bodyExample: { destination: '/topic/public/news', body: { text: 'hello' } },
    refuses: ['USER_NOT_FOUND'],
    answers: {
      202: {
        description: 'It is on its way. The header `api-message-id` of the message holds the id.',
        example: { messageId: '0199a1c2-7b3c-7c1e-9f5a-3a5f0c7d2e11' },
        content: jsonContent(z.strictObject({ messageId: z.uuid() }).meta({ id: 'SentMessage' })),
      },
    },
    grants: [...ANY_CREDENTIALS, PUBLISH],
  }) as const satisfies About
