import * as z from 'zod/mini'
import { decimal, whole } from './values.ts'

/** How many failed passwords are let through, and how long a right one is remembered. */
export const loginSettings = {
  LOGIN_FAILURES_PER_USER: z._default(whole(0, 1_000_000), 10),
  LOGIN_FAILURES_PER_ADDRESS: z._default(whole(0, 1_000_000), 100),
  LOGIN_FAILURE_WINDOW_SECONDS: z._default(decimal(1, 86_400), 300),
  BASIC_CACHE_SECONDS: z._default(whole(0, 60), 60),
}
