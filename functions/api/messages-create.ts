import { makeMessages } from '../../lib/app/messages.ts'
import { messageToSend } from '../../lib/contract/requests/message-to-send.ts'
import { endpoint } from '../../lib/http/endpoint.ts'
import { json } from '../../lib/http/json.ts'
import { accepted } from '../../lib/http/message.ts'
import { sendMessage } from '../../lib/messages/send.ts'

const app = await makeMessages()

export const handler = endpoint('messagesCreate', app, json(messageToSend), async ({ principal, input }) =>
  accepted(await sendMessage(app, input, principal.username)),
)
