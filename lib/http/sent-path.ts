import type { Route } from '../endpoints/route.ts'
import type { HttpEvent } from './message.ts'
import { hasParameters } from './routing.ts'

/** Characters that change a decoded path when it is decoded again. */
const AMBIGUOUS = /[%/]/g

/**
 * The path as it was sent, or one that is decoded to the same. The HTTP API of AWS hands `rawPath` over percent-decoded
 * (seen in published events: fastify/aws-lambda-fastify#169), where `a%2Fb` has become two segments; the values of
 * `pathParameters`, decoded too, tell what was one.
 */
export function sentPath({ path }: Route, { rawPath, pathParameters }: HttpEvent): string {
  if (!hasParameters(path)) return rawPath
  const filled = (write: (value: string) => string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) => write(pathParameters?.[name] ?? ''))
  return rawPath === filled(String) ? filled(escaped) : rawPath
}

function escaped(value: string): string {
  return value.replaceAll(AMBIGUOUS, encodeURIComponent)
}
