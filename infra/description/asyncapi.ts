import { DEAD_DELIVERY } from '../../lib/contract/delivery-schemas.ts'
import { NOTICE, WEBHOOK_CHANGE } from '../../lib/contract/schemas.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import { SENT_ID } from '../../lib/messages/send.ts'
import { RESUME_AFTER } from '../../lib/stomp/changes.ts'
import { VERSIONS } from '../../lib/stomp/codec/versions.ts'
import { type Action, DESTINATIONS } from '../../lib/stomp/destinations.ts'
import { CLOSE_CODES, PATH } from '../../lib/stomp/refusal.ts'
import { STREAM_PATH } from '../../lib/stream/event-streams.ts'
import manifest from '../../package.json' with { type: 'json' }
import { API_ERRORS } from './refusals.ts'
import { type Json, responseSchema, schemasIn } from './schemas.ts'
import { SECURITY_SCHEMES } from './security.ts'

type Name = keyof typeof DESTINATIONS

const DESCRIPTION = `Messages of Gatehouse. Connect to \`${PATH}\`, send CONNECT with the header \`Authorization: Bearer <ACCESS_TOKEN>\`, or the token as \`passcode\`, then SUBSCRIBE and SEND. With an API key as \`x-api-key\` in its place, only changes of webhook events are told, as far as the key's sources go. A page sends \`Authorization: Ticket <ticket>\` with the answer of \`POST /api/live-ticket\`. A session ends with its token, its key or the login session of its ticket; a fresh token of the same account and role prolongs it. Whatever destination is not here is closed. Changes of webhook events come over HTTP, too, as server-sent events.`

const CHANNELS: Readonly<Record<Name, { readonly description: string; readonly message: string }>> = {
  public: {
    description: 'What anybody with a token, or an admin over HTTP, says to everybody who listens.',
    message: 'anything',
  },
  webhooks: {
    description: `Changes of webhook events. A SUBSCRIBE with the header \`${RESUME_AFTER}\`, the \`cursor\` of a message, is told what came after it; \`source\`, \`type\` and \`status\` filter. The RECEIPT of a SUBSCRIBE carries a \`cursor\`, too.`,
    message: 'webhookChange',
  },
  deliveries: {
    description: 'Deliveries that are given up. Nothing is repeated that was missed: the HTTP API always has it.',
    message: 'deadDelivery',
  },
  token: {
    description:
      'Takes a fresh token of the same account and role, and the session ends with that. Closed to API keys.',
    message: 'freshToken',
  },
  notices: {
    description:
      'What the server tells a session of itself, a minute before its token ends; and a user of a retry or a replay that they ordered, once it is finished. Nothing is repeated that was missed: the HTTP API always has it.',
    message: 'notice',
  },
  own: {
    description: "One's own: nobody else's sessions hear it, and nobody else sends there but admins over HTTP.",
    message: 'anything',
  },
}

/** AsyncAPI's actions are those of the service: it sends what clients subscribe to. */
const ACTIONS = { SUBSCRIBE: 'send', SEND: 'receive' } as const satisfies Record<Action, string>

/** The codes of an ERROR frame: every reason that ends a session. */
const CODES = [...(Object.keys(CLOSE_CODES) as ErrorCode[]), 'UNEXPECTED'] as const

/** What the last event of a stream may say. */
export const END_CODES = [
  'TOKEN_INVALID',
  'TOKEN_EXPIRED',
  'API_KEY_INVALID',
  'TICKET_INVALID',
  'UNAVAILABLE',
  'UNEXPECTED',
] as const

const text = { type: 'string' }

const MESSAGES: Json = {
  anything: {
    title: 'Whatever its sender sends',
    headers: {
      type: 'object',
      properties: {
        sender: { ...text, description: 'The user who sent it; the server sets it.' },
        [SENT_ID]: { ...text, description: 'The `messageId` of the answer, if it was sent over HTTP.' },
      },
      required: ['sender'],
    },
    payload: {},
  },
  webhookChange: {
    title: 'A webhook event has come into a status',
    contentType: 'application/json',
    payload: responseSchema(WEBHOOK_CHANGE),
  },
  deadDelivery: {
    title: 'A delivery was given up',
    contentType: 'application/json',
    payload: responseSchema(DEAD_DELIVERY),
  },
  freshToken: { title: 'A token, and nothing else', contentType: 'text/plain', payload: text },
  streamEnd: {
    title: 'The last event of a stream: why it ends',
    contentType: 'application/json',
    payload: { anyOf: END_CODES.map((code) => responseSchema(API_ERRORS[code])) },
  },
  notice: {
    title: 'The token is about to end, or what one ordered is finished',
    contentType: 'application/json',
    payload: responseSchema(NOTICE),
  },
  refusal: {
    title: 'ERROR: the session ends',
    contentType: 'application/json',
    headers: {
      type: 'object',
      properties: {
        message: text,
        'content-type': { const: 'application/json' },
        'content-length': text,
        'receipt-id': { ...text, description: 'Of the frame that is refused, if it wanted a receipt.' },
        version: { ...text, description: 'The versions there are, if none of them was accepted.' },
        'token-status': { ...text, description: 'What is wrong with the token.' },
        'expired-at': { ...text, description: 'When the token ended.' },
        'retry-after': { ...text, description: 'After how many seconds to come back.' },
      },
      required: ['message', 'content-type'],
      additionalProperties: false,
    },
    payload: { anyOf: CODES.map((code) => responseSchema(API_ERRORS[code])) },
  },
}

const securityBy = (name: string) => ({ $ref: `#/components/securitySchemes/${name}` })

/** The description of STOMP and of the stream of events, in AsyncAPI 3.1. */
export function asyncApiDocument(): Json {
  return {
    asyncapi: '3.1.0',
    info: { title: 'Gatehouse messages', version: manifest.version, description: DESCRIPTION },
    defaultContentType: 'application/json',
    servers: {
      local: {
        host: '127.0.0.1:3001',
        pathname: PATH,
        protocol: 'stomp',
        protocolVersion: VERSIONS.join(', '),
        description: 'Over WebSocket, where `npm start` serves it.',
        security: [securityBy('bearer'), securityBy('ticket')],
      },
      stream: {
        host: '127.0.0.1:3001',
        protocol: 'http',
        description: 'Server-sent events, where `npm start` serves them.',
        security: [securityBy('bearer'), securityBy('key'), securityBy('ticket')],
      },
    },
    channels: {
      ...Object.fromEntries(
        Object.entries(CHANNELS).map(([name, channel]) => [name, channelOf(name as Name, channel)]),
      ),
      stream: {
        address: STREAM_PATH,
        servers: [{ $ref: '#/servers/stream' }],
        description:
          'Changes of webhook events, for ROLE_ADMIN or an API key: `event: webhook`, the cursor as `id`. `Last-Event-ID` resumes; `source`, `type` and `status` in the query filter, each as often as wanted. The last event is `event: end`.',
        messages: {
          webhookChange: { $ref: '#/components/messages/webhookChange' },
          streamEnd: { $ref: '#/components/messages/streamEnd' },
        },
      },
      session: {
        servers: [{ $ref: '#/servers/local' }],
        description: 'What is said of a session itself.',
        messages: { refusal: { $ref: '#/components/messages/refusal' } },
      },
    },
    operations: {
      ...Object.fromEntries((Object.keys(DESTINATIONS) as Name[]).flatMap(operationsOf)),
      stream: { action: 'send', channel: { $ref: '#/channels/stream' }, summary: 'GET: one answer that goes on.' },
      refuse: { action: 'send', channel: { $ref: '#/channels/session' }, summary: 'Ends a session.' },
    },
    components: {
      securitySchemes: {
        bearer: SECURITY_SCHEMES['bearer'],
        key: { type: 'httpApiKey', in: 'header', name: 'X-Api-Key', description: 'The key of a machine.' },
        ticket: {
          type: 'httpApiKey',
          in: 'header',
          name: 'Authorization',
          description: '`Ticket <ticket>`: the answer of `POST /api/live-ticket`, good once.',
        },
      },
      messages: MESSAGES,
      schemas: schemasIn(MESSAGES),
    },
  }
}

function channelOf(name: Name, { description, message }: (typeof CHANNELS)[Name]): Json {
  const { address } = DESTINATIONS[name]
  const parameters = { name: { description: 'Letters, digits, `.`, `_`, `~`, `-` and `/`: at most 200.' } }
  return {
    address,
    servers: [{ $ref: '#/servers/local' }],
    description,
    ...(address.includes('{') && { parameters }),
    messages: { [message]: { $ref: `#/components/messages/${message}` } },
  }
}

function operationsOf(name: Name): readonly (readonly [string, Json])[] {
  return Object.entries(DESTINATIONS[name].roles).map(([action, role]) => [
    `${name}-${action.toLowerCase()}`,
    {
      action: ACTIONS[action as Action],
      channel: { $ref: `#/channels/${name}` },
      summary: `${action}: for ${role}, or a higher role.`,
    },
  ])
}
