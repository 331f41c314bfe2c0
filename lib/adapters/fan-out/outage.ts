import type { Log } from '../../runtime/log.ts'

/** Logs an outage once for each cause that it has, however often something is tried, and its end. */
export function createOutage(log: Log, what: string) {
  const told = new Set<string>()
  return {
    failed(cause: unknown): void {
      const key = keyOf(cause)
      if (told.has(key)) return
      told.add(key)
      log.warn(`fan-out: ${what} fails`, { cause })
    },
    worked(): void {
      if (told.size === 0) return
      told.clear()
      log.info(`fan-out: ${what} works again`)
    },
  }
}

function keyOf(cause: unknown): string {
  if (!(cause instanceof Error)) return typeof cause
  return 'code' in cause ? `${cause.name} ${cause.code}` : cause.name
}
