import { decimal, whole, withDefault } from './values.ts'

/** How many failed passwords are let through, and how long a right one is remembered. */
export const loginSettings = {
  LOGIN_FAILURES_PER_USER: withDefault(whole(0, 1_000_000), 10),
  LOGIN_FAILURES_PER_ADDRESS: withDefault(whole(0, 1_000_000), 100),
  LOGIN_FAILURES_PER_NAME: withDefault(whole(0, 1_000_000), 100),
  LOGIN_FAILURE_WINDOW_SECONDS: withDefault(decimal(1, 86_400), 300),
  BASIC_CACHE_SECONDS: withDefault(whole(0, 60), 60),
}
