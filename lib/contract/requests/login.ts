import * as z from 'zod/mini'

const USERNAME = 'Username is required and cannot be empty'
const PASSWORD = 'Password is required and cannot be empty'

/** A form has nothing but texts; JSON may have others. */
/* @__NO_SIDE_EFFECTS__ */
function required(rule: string) {
  const error = ({ input }: { readonly input?: unknown }) =>
    input === undefined || input === null ? rule : 'must be a text'
  return z.string({ error }).check(z.minLength(1, rule))
}

export const loginForm = {
  schema: z.object({ username: required(USERNAME), password: required(PASSWORD) }, 'must be a JSON object'),
  secret: ['password'],
} as const
