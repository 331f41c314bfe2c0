import * as z from 'zod/mini'
import { oneOf } from './bounds.ts'
import { closed } from './text.ts'

/** How to delete a payload. */
export const payloadDeletion = z.strictObject(
  {
    /** Also ends a run or delivery that still needs it. */
    force: z._default(
      z.pipe(
        oneOf(['true', 'false']),
        z.transform((word) => word === 'true'),
      ),
      false,
    ),
  },
  { error: closed },
)
