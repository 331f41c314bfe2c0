import * as z from 'zod/mini'
import { newPassword, userRole } from './new-user.ts'
import { closed } from './text.ts'

export const changedUser = z
  .strictObject(
    {
      role: z.optional(userRole),
      enabled: z.optional(z.boolean('must be true or false')),
      password: z.optional(newPassword),
    },
    { error: closed },
  )
  .check(
    z.refine((changes) => Object.values(changes).some((value) => value !== undefined), {
      error: 'must have role, enabled or password',
    }),
  )
