import type { Destination, HandlerTarget } from '../../lib/deliver/destination.ts'
import { HANDLERS } from '../../lib/deliver/handler-file.ts'
import { functionTimeoutOf } from '../../lib/deliver/timing.ts'
import { DIST } from '../builds.ts'
import { DELIVERY_SCAN, deliverFunctionOf, deliverQueueOf } from './names.ts'

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
 * The function of each destination, and the function that scans for waiting deliveries; none without destinations.
 * @param prefix the beginning of the names of functions
 */
export function deliveryFunctions(
  destinations: readonly Destination[],
  prefix: string,
): Readonly<Record<string, DeclaredFunction>> {
  if (destinations.length === 0) return {}
  const serving = destinations.map((one) => [deliverFunctionOf(one.name), servingFunction(one, prefix)] as const)
  return { ...Object.fromEntries(serving), [DELIVERY_SCAN]: scanFunction(prefix) }
}

function servingFunction(destination: Destination, prefix: string): DeclaredFunction {
  const { name, concurrency, target } = destination
  return {
    name: `${prefix}-${deliverFunctionOf(name)}`,
    ...(target.to === 'handler'
      ? { ...bundled('deliver', handlerBundle(target)), memorySize: target.memory }
      : bundled('deliver')),
    timeout: functionTimeoutOf(destination) / 1000,
    events: [
      {
        sqs: {
          arn: { 'Fn::GetAtt': [deliverQueueOf(name), 'Arn'] },
          batchSize: 1,
          maximumConcurrency: concurrency,
          functionResponseType: 'ReportBatchItemFailures',
        },
      },
    ],
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
