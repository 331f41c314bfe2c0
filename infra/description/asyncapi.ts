import { DEAD_DELIVERY } from '../../lib/contract/delivery-schemas.ts'
import { SESSION_NOTICE, WEBHOOK_CHANGE } from '../../lib/contract/schemas.ts'
import type { ErrorCode } from '../../lib/errors.ts'
import { SENT_ID } from '../../lib/messages/send.ts'
import { RESUME_AFTER } from '../../lib/stomp/changes.ts'
import { VERSIONS } from '../../lib/stomp/codec/versions.ts'
import { type Action, DESTINATIONS } from '../../lib/stomp/destinations.ts'
import { CLOSE_CODES, PATH } from '../../lib/stomp/refusal.ts'
import manifest from '../../package.json' with { type: 'json' }
import { API_ERRORS } from './refusals.ts'
import { type Json, responseSchema, schemasIn } from './schemas.ts'
import { SECURITY_SCHEMES } from './security.ts'

type Name = keyof typeof DESTINATIONS

const DESCRIPTION = `Messages of Gatehouse. Connect to \`${PATH}\`, send CONNECT with the header \`Authorization: Bearer <ACCESS_TOKEN>\`, or the token as \`passcode\`, then SUBSCRIBE and SEND. With an API key as \`x-api-key\` in its place, only changes of webhook events are told, as far as the key's sources go. A session ends with its token or its key; a fresh token of the same account and role prolongs it. Whatever destination is not here is closed.`

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
    description: 'What the server tells a session of itself: a minute before its token ends, that it does.',
    message: 'sessionNotice',
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
  sessionNotice: {
    title: 'The token is about to end',
    contentType: 'application/json',
    payload: responseSchema(SESSION_NOTICE),
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

/** The description of the STOMP channel, in AsyncAPI 3.1. */
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
        security: [{ $ref: '#/components/securitySchemes/bearer' }],
      },
    },
    channels: {
      ...Object.fromEntries(
        Object.entries(CHANNELS).map(([name, channel]) => [name, channelOf(name as Name, channel)]),
      ),
      session: {
        description: 'What is said of a session itself.',
        messages: { refusal: { $ref: '#/components/messages/refusal' } },
      },
    },
    operations: {
      ...Object.fromEntries((Object.keys(DESTINATIONS) as Name[]).flatMap(operationsOf)),
      refuse: { action: 'send', channel: { $ref: '#/channels/session' }, summary: 'Ends a session.' },
    },
    components: {
      securitySchemes: { bearer: SECURITY_SCHEMES['bearer'] },
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
