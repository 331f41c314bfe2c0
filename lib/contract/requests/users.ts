import * as z from 'zod/mini'

/** In UTF-16 units, as `boundedName` has it: only such a text may be normalized. */
const NAME_UNITS = 256

const NAME = 'must be 1 to 64 letters, digits or . _ - @ +'

/**
 * Of a name in NFKC, which composes each mark with its letter where it can; no mark is left then, and nothing that one
 * does not see or that turns the text around.
 */
const CHARACTERS = /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{Nd}._@+-]){1,64}$/u

/** A password to be set; `passwordProblem` says the rest. */
export const newPassword = z.string('must be a text').check(
  z.refine((text) => {
    const { length } = new TextEncoder().encode(text)
    return length >= 8 && length <= 1024
  }, 'must have at least 8 characters, and at most 1024 bytes'),
)

export const userRole = z.enum(['ROLE_ADMIN', 'ROLE_USER'], { error: 'must be ROLE_ADMIN or ROLE_USER' })

export const newUser = z.object(
  {
    username: z.string('must be a text').check(
      z.maxLength(NAME_UNITS, { error: NAME, abort: true }),
      z.normalize('NFKC'),
      z.refine((text) => CHARACTERS.test(text), NAME),
    ),
    password: newPassword,
    role: userRole,
  },
  'must be a JSON object',
)
