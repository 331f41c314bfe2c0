import { Buffer } from 'node:buffer'
import type { InvocationResult } from './event-source.ts'
import { HOST } from './ports.ts'

/** Calls a function by name with an event. */
export type Invoke = (functionName: string, event: unknown, signal: AbortSignal) => Promise<InvocationResult>

/** Calls Lambda's Invoke API at the gateway. */
export function invokerAt(lambdaPort: number): Invoke {
  return async (functionName, event, signal) => {
    const url = `http://${HOST}:${lambdaPort}/2015-03-31/functions/${functionName}/invocations`
    const response = await fetch(url, { method: 'POST', body: Buffer.from(JSON.stringify(event)), signal })
    const payload = await response.text()
    return { isError: !response.ok || response.headers.has('x-amz-function-error'), payload }
  }
}
