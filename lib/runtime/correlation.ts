import { AsyncLocalStorage } from 'node:async_hooks'

/** What the log lines of one call, message or scan have in common. */
export interface Correlation {
  /** Of a call: as the gateway's access log has it, and its answer as `apigw-requestid`. Of a scan: Lambda's own. */
  readonly requestId?: string
  /** Of what came from a queue. */
  readonly messageId?: string
}

const storage = new AsyncLocalStorage<Correlation>()

/** Does the work, and all that it starts, under these ids. */
export function correlated<T>(ids: Correlation, work: () => T): T {
  return storage.run(ids, work)
}

/** The ids of the current work; empty outside of any. */
export function correlation(): Correlation {
  return storage.getStore() ?? {}
}
