import * as z from 'zod/mini'
import { newPassword } from './new-user.ts'
import { closed } from './text.ts'

export const passwordChange = z.strictObject(
  {
    current: z.string('must be a text').check(z.minLength(1, 'must not be empty')),
    new: newPassword,
  },
  { error: closed },
)
