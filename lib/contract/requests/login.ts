import * as z from 'zod/mini'

const USERNAME = 'Username is required and cannot be empty'
const TEXT = 'must be a text'
const PASSWORD = 'Password is required and cannot be empty'

/** A form has nothing but texts; JSON may have others. */
function text(rule: string) {
  const error = ({ input }: { readonly input?: unknown }) => (input === undefined || input === null ? rule : TEXT)
  return z.string({ error }).check(z.minLength(1, rule))
}

export const loginForm = {
  schema: z.object({ username: text(USERNAME), password: text(PASSWORD) }, 'must be a JSON object'),
  secret: ['password'],
} as const
