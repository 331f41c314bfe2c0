import { DEAD_DELIVERY, NOTICE } from '../../lib/contract/answers/deliveries.ts'
import { WEBHOOK_CHANGE } from '../../lib/contract/answers/events.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import { SENT_ID } from '../../lib/messages/send.ts'
import { RESUME_AFTER } from '../../lib/stomp/changes.ts'
import { VERSIONS } from '../../lib/stomp/codec/frame.ts'
import { type Action, DESTINATIONS } from '../../lib/stomp/destinations.ts'
import { CLOSE_CODES, PATH } from '../../lib/stomp/refusal.ts'
import { STREAM_PATH } from '../../lib/stream/event-streams.ts'
import manifest from '../../package.json' with { type: 'json' }
import { withPortablePatterns } from './for-generators.ts'
import { API_ERRORS } from './refusals.ts'
import { type Json, responseSchema, schemasIn } from './schemas.ts'
import { SECURITY_SCHEMES } from './security.ts'

type Name = keyof typeof DESTINATIONS

const DESCRIPTION = `Messages of Gatehouse. Connect to \`${PATH}\`, send CONNECT with the header \`Authorization: Bearer <ACCESS_TOKEN>\`, or the token as \`passcode\`, then SUBSCRIBE and SEND. With an API key as \`x-api-key\` instead, a session gets only changes of webhook events of the key's sources. A page sends \`Authorization: Ticket <ticket>\` with the answer of \`POST /api/live-ticket\`. A session ends with its token, its key or the login session of its ticket; a new token of the same account and role extends it. All other destinations are closed. Changes of webhook events come over HTTP, too, as server-sent events.`

const CHANNELS: Readonly<Record<Name, { readonly description: string; readonly message: string }>> = {
  public: {
    description: 'Messages from any client with a token, or from an admin over HTTP, to all subscribers.',
    message: 'anything',
  },
  webhooks: {
    description: `Changes of webhook events. A SUBSCRIBE with the header \`${RESUME_AFTER}\`, the \`cursor\` of a message, gets the later changes; \`source\`, \`type\` and \`status\` filter. The RECEIPT of a SUBSCRIBE carries a \`cursor\`, too.`,
    message: 'webhookChange',
  },
  deliveries: {
    description: 'Deliveries that were given up. Missed messages are not repeated; the HTTP API has the state.',
    message: 'deadDelivery',
  },
  token: {
    description:
      'Accepts a new token of the same account and role. The session then ends with that token. API keys cannot use it.',
    message: 'freshToken',
  },
  notices: {
    description:
      'Notices of the server: a minute before the session’s token expires, and when a retry or a replay of the user has finished. Missed messages are not repeated; the HTTP API has the state.',
    message: 'notice',
  },
  own: {
    description:
      'A private queue: only sessions of the same user receive its messages, and only they and admins over HTTP can send to it.',
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
    title: 'Any content of the sender',
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
        'receipt-id': { ...text, description: 'The receipt id of the refused frame, if it requested one.' },
        version: { ...text, description: 'The supported versions, if the client supports none of them.' },
        'token-status': { ...text, description: 'The fault of the token.' },
        'expired-at': { ...text, description: 'When the token ended.' },
        'retry-after': { ...text, description: 'The seconds to wait before a retry.' },
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
  return withPortablePatterns({
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
        description: 'Notices for a session.',
        messages: { refusal: { $ref: '#/components/messages/refusal' } },
      },
    },
    operations: {
      ...Object.fromEntries((Object.keys(DESTINATIONS) as Name[]).flatMap(operationsOf)),
      stream: { action: 'send', channel: { $ref: '#/channels/stream' }, summary: 'GET: one continuous answer.' },
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
  })
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
