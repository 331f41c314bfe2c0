import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { rawPathOf, rawQueryOf } from './sent-target.ts'

/**
 * Header names that no request can have. They pass the original target and content type, and the id of the call, to the
 * code that creates the event, which sees nothing else of the request as it was sent.
 */
export const SENT_TARGET = ':target'
export const SENT_TYPE = ':content-type'
export const CALL_ID = ':request-id'

/** The class that creates events, which serverless-offline does not export. */
const MAKER = 'events/http/lambda-events/LambdaProxyIntegrationEventV2.js'

interface Maker {
  readonly default: { readonly prototype: { create(): APIGatewayProxyEventV2 } }
}

/** Corrects each event that serverless-offline 14.8 creates. */
export async function mendEvents(): Promise<void> {
  const { default: made }: Maker = await import(new URL(MAKER, import.meta.resolve('serverless-offline')).href)
  const { create } = made.prototype
  made.prototype.create = function () {
    return mendedEvent(Reflect.apply(create, this, []))
  }
}

/**
 * The event as an HTTP API creates it: path and query as sent, repeated parameters joined by commas, and a content type
 * only if the request had one. The gateway resolves dot segments in the path, encodes the query again, and treats a
 * body without a type as JSON.
 */
export function mendedEvent({ queryStringParameters: _, ...event }: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
  const {
    [SENT_TARGET]: target = '/',
    [SENT_TYPE]: sentType,
    [CALL_ID]: id,
    'content-type': _type,
    ...headers
  } = event.headers
  const [rawPath, rawQueryString] = [rawPathOf(target), rawQueryOf(target)]
  return {
    ...event,
    headers: { ...headers, ...(sentType !== undefined && { 'content-type': sentType }) },
    rawPath,
    rawQueryString,
    ...(rawQueryString !== '' && { queryStringParameters: parametersOf(rawQueryString) }),
    requestContext: {
      ...event.requestContext,
      ...(id !== undefined && { requestId: id }),
      http: { ...event.requestContext.http, path: rawPath },
    },
  }
}

function parametersOf(query: string): Record<string, string> {
  const byName = Map.groupBy(new URLSearchParams(query), ([name]) => name)
  return Object.fromEntries([...byName].map(([name, pairs]) => [name, pairs.map(([, value]) => value).join(',')]))
}
