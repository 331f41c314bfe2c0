import * as z from 'zod'
import { instant } from './schemas.ts'
import { TRAIL_ACTIONS } from './trail-actions.ts'

const text = z.string().nullable()

/** A line of the audit trail as admins see it. */
export const trailLine = z
  .strictObject({
    chain: z.string().describe('The process that wrote it.'),
    seq: z.int().positive().describe('Its number in that chain, from 1.'),
    at: instant,
    action: z.enum(TRAIL_ACTIONS),
    outcome: text.describe('Why it was refused or failed, as a code; `null` if it was not.'),
    method: text.describe('Of a login: `basic`, `form`, `token` or `oauth2`.'),
    uid: text.describe('The id of the account that did it.'),
    user: text.describe('Its name at that time.'),
    authType: text,
    apiKey: text.describe('The id of the API key that did it.'),
    nameHash: text.describe('A keyed hash of the name that a refused login gave: the same for the same name.'),
    from: text.describe('The address of the caller.'),
    requestId: text.describe('The id of the call, as in the log; the lines of one call have the same.'),
    target: z.record(z.string(), z.string()).describe('The object of the action: names and ids.'),
    authentic: z
      .boolean()
      .describe('Whether a key of this service sealed it. It does not show whether lines are missing.'),
  })
  .meta({ id: 'AuditLine', description: 'An action in the audit trail.' })
