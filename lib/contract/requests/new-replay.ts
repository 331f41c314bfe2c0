import * as z from 'zod/mini'
import { filterFields, inOrder } from './event-filter.ts'
import { closed, shortText } from './text.ts'

const ID = 'must be 1 to 128 letters, digits or any of . _ : -'
const RATE = 'must be a whole number from 1 to 1000'

export const newReplay = z.strictObject(
  {
    replayId: z.string(ID).check(z.regex(/^[\w.:-]{1,128}$/, ID)),
    filter: z
      .strictObject(
        {
          status: z.optional(z.literal('FAILED', 'must be FAILED')),
          ...filterFields,
          dead: z.optional(z.boolean('must be true or false')),
        },
        { error: closed },
      )
      .check(inOrder),
    reason: z.optional(shortText),
    ratePerSecond: z._default(z.int(RATE).check(z.minimum(1, RATE), z.maximum(1000, RATE)), 10),
    dryRun: z._default(z.boolean('must be true or false'), false),
  },
  { error: closed },
)
