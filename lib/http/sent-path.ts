import type { Route } from '../endpoints/route.ts'
import type { HttpEvent } from './message.ts'
import { hasParameters } from './routing.ts'

/** Characters that change a decoded path when it is decoded again. */
const AMBIGUOUS = /[%/?]/g

/** What no path has as it was sent: blanks, control characters, all beyond ASCII, and a `%` of no escape. */
const DECODED = /[^\x21-\x7e]+|%(?![0-9a-f]{2})/giu

/**
 * The path as it was sent, or one that is decoded to the same. The HTTP API of AWS hands `rawPath` over percent-decoded
 * (seen in published events: fastify/aws-lambda-fastify#169), where `a%2Fb` has become two segments, and without what is
 * behind a decoded `?` (middleapi/standard-server#93); the values of `pathParameters`, decoded too, tell what was one.
 */
export function sentPath({ path }: Pick<Route, 'path'>, { rawPath, pathParameters }: HttpEvent): string {
  if (!hasParameters(path)) return rawPath === path ? path : writable(rawPath)
  const filled = (write: (value: string) => string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) => write(pathParameters?.[name] ?? ''))
  const decoded = filled(String)
  const isDecoded = rawPath === decoded || rawPath === decoded.split('?', 1)[0]
  return writable(isDecoded ? filled(escaped) : rawPath)
}

/** A path that was decoded, in characters that a path may have. */
export function writable(path: string): string {
  return path.toWellFormed().replaceAll(DECODED, encodeURIComponent)
}

function escaped(value: string): string {
  return value.replaceAll(AMBIGUOUS, encodeURIComponent)
}
