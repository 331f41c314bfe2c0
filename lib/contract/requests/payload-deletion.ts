import * as z from 'zod/mini'
import { oneOf } from './bounds.ts'
import { closed } from './text.ts'

/** How a payload is to be deleted. */
export const payloadDeletion = z.strictObject(
  {
    /** Ends what still needs it. */
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
