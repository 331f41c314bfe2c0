import type * as z from 'zod'
import { keyQuery } from '../../functions/api/keys.ts'
import { newKey } from '../../functions/api/keys-create.ts'
import { userQuery } from '../../functions/api/users.ts'
import { retryCommand } from '../../lib/contract/requests/command.ts'
import { eventQuery } from '../../lib/contract/requests/events.ts'
import { PAGE } from '../../lib/contract/requests/fields.ts'
import { loginForm } from '../../lib/contract/requests/login.ts'
import { refusalQuery } from '../../lib/contract/requests/refusals.ts'
import { newReplay } from '../../lib/contract/requests/replays.ts'
import { trailQuery } from '../../lib/contract/requests/trail.ts'
import { newUser } from '../../lib/contract/requests/users.ts'
import { orderStatusPayload } from '../../lib/webhooks/sources/order-status.ts'
import { paymentPayload } from '../../lib/webhooks/sources/payment.ts'
import type { Json, Notes } from './schemas.ts'

const filter = newReplay.shape.filter.shape
const TIME = 'UTC as it is emitted, with or without `Z`.'
const FROM = { description: `The first time of receipt: ${TIME}`, examples: ['2026-11-21T07:00:00.000'] }
const TO = { description: `The last time of receipt, included: ${TIME}`, examples: ['2026-11-21T08:00:00.000'] }
const SOURCE = { description: 'The provider, as a whole name.' }
const TYPE = { description: 'The type of the event, as a whole name.' }
const SEVERAL = 'Repeated, any of the values matches.'
const PART = { description: 'A part of the event id, source, type or error message, in any case.' }
const DEAD = { description: 'Whether it failed and only an operator can retry it.' }
const PASSWORD = { format: 'password' }

const EVENT_ID = {
  type: ['string', 'null'],
  maxLength: 256,
  description:
    'Makes a second delivery a duplicate. Without it, the same body is one event: with the same signed time, or within a day.',
}
const IDENTIFIER = { type: 'string', minLength: 1, maxLength: 256 }
const IF_KNOWN = { ...IDENTIFIER, type: ['string', 'null'] }
const HAPPENED = { description: 'When it happened: a local date-time.', examples: ['2026-11-21T07:00:00'] }

function limitOf(what: string): Json {
  const { minimum, maximum, usual } = PAGE
  return { type: 'integer', minimum, maximum, default: usual, description: `How many ${what} a page has at most.` }
}

/** What the schemas of requests cannot express in JSON Schema, and the meaning of their fields. */
export const NOTES: Notes = new Map<z.core.$ZodType, Json>([
  [loginForm.schema.shape.password, PASSWORD],
  [newUser.shape.username, { description: '1 to 64 letters, digits or `. _ - @ +`, after NFKC.' }],
  [
    newUser.shape.password,
    {
      ...PASSWORD,
      minLength: 8,
      maxLength: 1024,
      description:
        'At least 8 characters and at most 1,024 bytes of UTF-8; neither one of the 10,000 commonest passwords nor the user name.',
    },
  ],
  [retryCommand.shape.reason, { description: 'Shown in the history of the event.' }],
  [newReplay.shape.replayId, { description: 'The same again with the same content changes nothing.' }],
  [
    newReplay.shape.destination,
    {
      description:
        'Delivers the events of any status there again, instead of running them; the filter then has no status.',
    },
  ],
  [newReplay.shape.reason, { description: 'Shown in the history of each event.' }],
  [newReplay.shape.ratePerSecond, { description: 'How many events are started in a second at most.' }],
  [newReplay.shape.dryRun, { description: 'Counts what matches and runs nothing.' }],
  [filter.source, SOURCE],
  [filter.type, TYPE],
  [filter.from, FROM],
  [filter.to, TO],
  [filter.q, PART],
  [filter.dead, DEAD],
  [eventQuery.shape.status, { description: `A status. ${SEVERAL}` }],
  [eventQuery.shape.source, { description: `${SOURCE.description} ${SEVERAL}` }],
  [eventQuery.shape.type, { description: `${TYPE.description} ${SEVERAL}` }],
  [eventQuery.shape.from, FROM],
  [eventQuery.shape.to, TO],
  [eventQuery.shape.q, PART],
  [eventQuery.shape.dead, DEAD],
  [eventQuery.shape.limit, limitOf('events')],
  [
    refusalQuery.shape.source,
    { description: 'The provider, as a whole name; `(unknown)` for every name without a secret.' },
  ],
  [refusalQuery.shape.reason, { description: 'Why the calls were refused.' }],
  [refusalQuery.shape.q, { description: 'A part of the source, the reason, the verdict or the address, in any case.' }],
  [refusalQuery.shape.from, { ...FROM, description: `The first time of a refusal: ${TIME}` }],
  [refusalQuery.shape.to, { ...TO, description: `The last time of a refusal, included: ${TIME}` }],
  [refusalQuery.shape.limit, limitOf('rows')],
  [keyQuery.shape.limit, limitOf('keys')],
  [trailQuery.shape.actor, { description: 'Who did it: a name or an id, in any case.' }],
  [trailQuery.shape.target, { description: 'What it was done to: a name or an id, in any case.' }],
  [trailQuery.shape.action, { description: `What was done. ${SEVERAL}` }],
  [trailQuery.shape.outcome, { description: `How it ended. ${SEVERAL}` }],
  [trailQuery.shape.q, { description: 'A part of a name, of an id or of the action.' }],
  [trailQuery.shape.from, { ...FROM, description: `The first time: ${TIME}` }],
  [trailQuery.shape.to, { ...TO, description: `The last time: ${TIME}` }],
  [trailQuery.shape.reads, { description: 'Whether readings of payloads are listed, too.' }],
  [trailQuery.shape.limit, limitOf('rows')],
  [trailQuery.shape.cursor, { description: 'The `nextCursor` of the page before, with the same query.' }],
  [keyQuery.shape.cursor, { description: 'The `nextCursor` of the page before.' }],
  [userQuery.shape.limit, limitOf('users')],
  [userQuery.shape.cursor, { description: 'The `nextCursor` of the page before.' }],
  [newKey.shape.name, { minLength: 1, maxLength: 64, description: 'The purpose of the key.' }],
  [
    newKey.shape.sources,
    {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      maxItems: 50,
      description: 'The only sources whose events it reads; all if absent.',
    },
  ],
  [
    newKey.shape.expiresAt,
    {
      description: `When it ends, at most 730 days from now; 365 days from now if absent. ${TIME}`,
      examples: ['2027-11-21T07:00:00.000'],
    },
  ],
  [eventQuery.shape.cursor, { description: 'The `nextCursor` of the page before, with the same filter.' }],
  [paymentPayload.shape.eventId, EVENT_ID],
  [paymentPayload.shape.timestamp, HAPPENED],
  [paymentPayload.shape.transactionId, IDENTIFIER],
  [paymentPayload.shape.orderId, IDENTIFIER],
  [
    paymentPayload.shape.amount,
    { type: ['number', 'string', 'null'], description: 'A decimal of at least 0.01; kept digit for digit.' },
  ],
  [paymentPayload.shape.currency, IDENTIFIER],
  [paymentPayload.shape.customerId, IF_KNOWN],
  [orderStatusPayload.shape.timestamp, HAPPENED],
  [orderStatusPayload.shape.trackingNumber, IF_KNOWN],
  [orderStatusPayload.shape.carrier, IF_KNOWN],
  [orderStatusPayload.shape.estimatedDelivery, { type: ['string', 'null'], format: 'date' }],
])
