import { randomBytes } from 'node:crypto'

/**
 * How often a function has been invoked in a chain of invocations. AWS's clients pass the trace on to queues, and queues to
 * the next invocation; Lambda counts in it.
 */
export function invocationsIn(trace: string): number {
  return Number(/;Lineage=1:[0-9a-f]+:(\d+)/.exec(trace)?.[1] ?? 0)
}

/** The trace of an invocation that follows from another one. */
export function traceAfter(trace: string): string {
  const { root } = /Root=(?<root>1-[0-9a-f]{8}-[0-9a-f]{24})/.exec(trace)?.groups ?? {}
  const parent = randomBytes(8).toString('hex')
  return `Root=${root ?? newRoot()};Parent=${parent};Sampled=1;Lineage=1:feedbeef:${invocationsIn(trace) + 1}`
}

/** An id for a new chain, with its time. */
export function newRoot(now = new Date()): string {
  const seconds = Math.floor(now.getTime() / 1000)
  return `1-${seconds.toString(16).padStart(8, '0')}-${randomBytes(12).toString('hex')}`
}
