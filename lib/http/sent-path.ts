import type { Route } from '../endpoints/route.ts'
import type { HttpEvent } from './message.ts'
import { hasParameters } from './routing.ts'

/** Characters that change a decoded path when it is decoded again. */
const AMBIGUOUS = /[%/?]/g

/**
 * Characters that no sent path contains: blanks, control characters, all beyond ASCII, and a `%` that begins no escape.
 */
const DECODED = /[^\x21-\x7e]+|%(?![0-9a-f]{2})/giu

/**
 * The path as it was sent, or one that decodes to the same. The HTTP API of AWS percent-decodes `rawPath` (seen in
 * published events: fastify/aws-lambda-fastify#169), so `a%2Fb` has become two segments. It also drops what follows a
 * decoded `?` (middleapi/standard-server#93). The values of `pathParameters`, decoded too, show what was one segment.
 */
export function sentPath({ path }: Pick<Route, 'path'>, { rawPath, pathParameters }: HttpEvent): string {
  if (!hasParameters(path)) return rawPath === path ? path : writable(rawPath)
  const filled = (write: (value: string) => string) =>
    path.replaceAll(/\{(\w+)\}/g, (_, name) => write(pathParameters?.[name] ?? ''))
  const decoded = filled(String)
  const isDecoded = rawPath === decoded || rawPath === decoded.split('?', 1)[0]
  return writable(isDecoded ? filled(escaped) : rawPath)
}

/** A decoded path, with only the characters that a path may have. */
export function writable(path: string): string {
  return path.toWellFormed().replaceAll(DECODED, encodeURIComponent)
}

function escaped(value: string): string {
  return value.replaceAll(AMBIGUOUS, encodeURIComponent)
}
