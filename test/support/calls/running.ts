import { AsyncLocalStorage } from 'node:async_hooks'

/** The function on whose behalf code runs, where one process runs them all. */
export const running = new AsyncLocalStorage<string>()
