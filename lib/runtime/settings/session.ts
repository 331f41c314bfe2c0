import { decimal, withDefault } from './values.ts'

/** How long a session lives: since it was last used, and in all. */
export const sessionSettings = {
  SESSION_IDLE_SECONDS: withDefault(decimal(1, 31_536_000), 1800),
  SESSION_MAX_SECONDS: withDefault(decimal(1, 31_536_000), 43_200),
}
