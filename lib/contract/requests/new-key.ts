import * as z from 'zod/mini'
import { SOURCE_NAME } from '../source-name.ts'
import { localTime } from './event-filter.ts'
import { closed } from './text.ts'

const NAME = 'must be 1 to 64 characters without control characters'
const SOURCE = 'must be the name of a source'
const SOURCES = 'must be a list of 1 to 50 names of sources'

export const newKey = z.strictObject(
  {
    name: z.string(NAME).check(z.regex(/^[^\p{Cc}\p{Cs}]{1,64}$/u, NAME)),
    sources: z.optional(
      z.pipe(
        z
          .array(z.string(SOURCE).check(z.regex(SOURCE_NAME, SOURCE)), SOURCES)
          .check(z.minLength(1, SOURCES), z.maxLength(50, SOURCES)),
        z.transform((names) => [...new Set(names)]),
      ),
    ),
    expiresAt: z.optional(localTime),
  },
  { error: closed },
)
