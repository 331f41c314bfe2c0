import * as z from 'zod/mini'

const USERNAME = 'Username is required and cannot be empty'
const PASSWORD = 'Password is required and cannot be empty'

export const loginForm = {
  schema: z.object({
    username: z.string(USERNAME).check(z.minLength(1, USERNAME)),
    password: z.string(PASSWORD).check(z.minLength(1, PASSWORD)),
  }),
  secret: ['password'],
} as const
