import * as z from 'zod/mini'

const bytes = new TextEncoder()
/** `passwordProblem` says the rest. */
const PASSWORD = 'must be 8 to 1024 bytes'

/**
 * No name may be mistaken for another (Unicode UTS 39): no control, format or surrogate character, and no blank at
 * either end.
 */
const VISIBLE = /^[^\p{Cc}\p{Cf}\p{Cs}\s](?:[^\p{Cc}\p{Cf}\p{Cs}]{0,62}[^\p{Cc}\p{Cf}\p{Cs}\s])?$/u

export const newUser = z.object(
  {
    username: z
      .string('must be a text')
      .check(
        z.regex(VISIBLE, 'must be 1 to 64 characters that one sees, blanks only between them'),
        z.regex(/^[^:]*$/, 'must not hold a colon, which HTTP Basic cannot carry'),
      ),
    password: z
      .string('must be a text')
      .check(z.refine((text) => bytes.encode(text).length >= 8 && bytes.encode(text).length <= 1024, PASSWORD)),
    role: z.enum(['ROLE_ADMIN', 'ROLE_USER'], { error: 'must be ROLE_ADMIN or ROLE_USER' }),
  },
  'must be a JSON object',
)
