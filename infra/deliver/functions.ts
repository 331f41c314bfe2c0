import type { Destination, HandlerTarget } from '../../lib/deliver/destination.ts'
import { functionTimeoutOf } from '../../lib/deliver/destination.ts'
import { HANDLERS } from '../../lib/deliver/handler-file.ts'
import { DIST } from '../builds.ts'
import { DELIVERY_SCAN, deliverQueueOf, servingFunctionOf } from './names.ts'

/** A function as serverless.yml would declare it. */
export interface DeclaredFunction {
  readonly name: string
  handler: string
  readonly package: { readonly patterns: readonly string[] }
  readonly timeout: number
  readonly memorySize?: number
  role?: string
  environment?: Record<string, unknown>
  readonly maximumRetryAttempts?: number
  readonly maximumEventAge?: number
  events: readonly Readonly<Record<string, unknown>>[]
}

/**
 * The functions that serve destinations, and the one that scans for waiting deliveries; none without destinations.
 * @param prefix the beginning of the names of functions
 */
export function deliveryFunctions(
  destinations: readonly Destination[],
  prefix: string,
): Readonly<Record<string, DeclaredFunction>> {
  if (destinations.length === 0) return {}
  const serving = Array.from(
    Map.groupBy(destinations, servingFunctionOf),
    ([name, served]) => [name, servingFunction(`${prefix}-${name}`, served)] as const,
  )
  return { ...Object.fromEntries(serving), [DELIVERY_SCAN]: scanFunction(prefix) }
}

/** Each destination has a mapping of its own, whose limit no other one shares. */
function servingFunction(name: string, served: readonly Destination[]): DeclaredFunction {
  const [target] = served.flatMap((one) => (one.target.to === 'handler' ? [one.target] : []))
  return {
    name,
    ...(target ? { ...bundled('deliver', handlerBundle(target)), memorySize: target.memory } : bundled('deliver')),
    timeout: functionTimeoutOf(served) / 1000,
    events: served.map((destination) => ({
      sqs: {
        arn: { 'Fn::GetAtt': [deliverQueueOf(destination.name), 'Arn'] },
        batchSize: 1,
        maximumConcurrency: destination.concurrency,
        functionResponseType: 'ReportBatchItemFailures',
      },
    })),
  }
}

function scanFunction(prefix: string): DeclaredFunction {
  return {
    name: `${prefix}-${DELIVERY_SCAN}`,
    ...bundled('delivery-scan'),
    timeout: 60,
    // The next scan finds what this one missed.
    maximumRetryAttempts: 0,
    maximumEventAge: 60,
    events: [{ schedule: { rate: ['rate(1 minute)'], enabled: true } }],
  }
}

/** @param others folders of further bundles in its package */
function bundled(file: string, ...others: readonly string[]) {
  const folder = `${DIST}/jobs/${file}`
  return { handler: `${folder}/index.handler`, package: { patterns: [folder, ...others].map((one) => `${one}/**`) } }
}

function handlerBundle({ path }: HandlerTarget): string {
  return `${DIST}/${HANDLERS}/${path}`
}
