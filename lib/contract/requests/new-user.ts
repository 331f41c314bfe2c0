import * as z from 'zod/mini'

const bytes = new TextEncoder()
/** `passwordProblem` says the rest. */
const PASSWORD = 'must be 8 to 1024 bytes'

/** Nothing that one does not see or that turns the text around, and no mark that would stand on what is before the name. */
const NAME = /^(?!\p{M})(?:(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{Nd}._@+-]){1,64}$/u

/** A password to be set. */
export const newPassword = z
  .string('must be a text')
  .check(z.refine((text) => bytes.encode(text).length >= 8 && bytes.encode(text).length <= 1024, PASSWORD))

export const userRole = z.enum(['ROLE_ADMIN', 'ROLE_USER'], { error: 'must be ROLE_ADMIN or ROLE_USER' })

export const newUser = z.object(
  {
    username: z
      .string('must be a text')
      .check(z.regex(NAME, 'must be 1 to 64 letters, digits, marks or . _ - @ + that one sees')),
    password: newPassword,
    role: userRole,
  },
  'must be a JSON object',
)
