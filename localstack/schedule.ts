import { setTimeout } from 'node:timers/promises'
import type { Invoke } from './invoke.ts'

/** Invokes a function repeatedly; each run starts the interval (in milliseconds) after the last one has ended. */
export async function invokeEvery(
  interval: number,
  functionName: string,
  invoke: Invoke,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await setTimeout(interval, undefined, { signal })
      await invoke(functionName, { source: 'aws.events', time: new Date().toISOString() }, signal)
    } catch (error) {
      if (!signal.aborted) console.error(`schedule of ${functionName}:`, error)
    }
  }
}
