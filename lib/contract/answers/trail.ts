import * as z from 'zod'
import { TRAIL_ACTIONS, TRAIL_OUTCOMES, TRAIL_TARGETS } from '../requests/trail.ts'
import { instant, nextCursor } from './shapes.ts'

const text = z.string().nullable()

const actor = z.strictObject({
  uid: text.describe('The id of the account.'),
  name: text.describe('Its name at that time; that of an API key is its id after `key:`.'),
  authType: text,
  keyId: text.describe('The id of the API key.'),
})

const target = z.strictObject({ type: z.enum(TRAIL_TARGETS), id: text, name: text })

const value = z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])

/** A row of the audit trail as admins see it. */
export const trailEntry = z
  .strictObject({
    id: z.string(),
    at: instant,
    action: z.enum(TRAIL_ACTIONS),
    outcome: z
      .enum(TRAIL_OUTCOMES)
      .describe('`done` if and only if it happened: the change and this row were stored together.'),
    error: text.describe('Why it was refused or failed, as a code.'),
    actor: actor.nullable().describe('Who did it; `null` for a refused login.'),
    nameHash: text.describe('A keyed hash of the name that a refused login gave: the same for the same name.'),
    target: target.nullable().describe('What it was done to.'),
    change: z.record(z.string(), value).nullable().describe('The new values, by their names.'),
    from: z.string().describe('The address of the caller.'),
    requestId: text.describe('The id of the call, as in the log.'),
  })
  .meta({ id: 'AuditEntry', description: 'An action in the audit trail.' })

export const trailPage = z
  .strictObject({
    entries: z.array(trailEntry).max(200),
    nextCursor,
    complete: z
      .boolean()
      .describe('Whether everything was looked at up to the end of the page. One page looks at 10,000 rows at most.'),
  })
  .meta({ id: 'AuditPage' })
