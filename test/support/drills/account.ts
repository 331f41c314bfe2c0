import type { InvocationResult } from '../../../localstack/event-source.ts'
import type { Lambda } from '../../../localstack/strict/lambda.ts'
import { InvokeRefusal } from '../../../localstack/strict/refusal.ts'
import type { Observed } from './observed.ts'

/** How many functions the account of the drills runs at once. */
export const CONCURRENCY = 10

/** How Lambda counts what it refuses. */
const REFUSALS: Readonly<Record<string, string>> = {
  TooManyRequestsException: 'Throttles',
  RecursiveInvocationException: 'RecursiveInvocationsDropped',
}

/**
 * Calls functions, and publishes what Lambda does of its calls.
 * @param lambda as it is at the time of the call
 * @param traceOf the trace of a message, for a call without one
 */
export function countedLambda(
  lambda: () => Pick<Lambda, 'invoke'>,
  traceOf: (event: unknown) => string,
  { publish, publishCall }: Pick<Observed, 'publish' | 'publishCall'>,
): Lambda['invoke'] {
  let running = 0

  async function invoke(...[name, event, trace = '']: Parameters<Lambda['invoke']>): Promise<InvocationResult> {
    const call = lambda().invoke(name, event, trace || traceOf(event))
    const metric = await call.then(
      ({ isError }) => (isError ? 'Errors' : undefined),
      (error) => (error instanceof InvokeRefusal ? REFUSALS[error.type] : undefined),
    )
    if (metric) publishCall(metric, name)
    return call
  }

  return (...given) => {
    running += 1
    publish('AWS/Lambda', 'ConcurrentExecutions', {}, Math.min(running, CONCURRENCY))
    return invoke(...given).finally(() => {
      running -= 1
    })
  }
}
