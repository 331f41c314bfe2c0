import type { ServiceError } from '../errors.ts'

interface Circumstances {
  readonly path: string
  readonly now: Date
}

/** The error of the API, for every channel (http-17). */
export function errorShape(error: ServiceError, { path, now }: Circumstances) {
  return {
    timestamp: now.toISOString(),
    status: error.status,
    error: error.category,
    message: error.message,
    details: shownDetails(error),
    path,
  }
}

export function isTooMany(error: ServiceError): error is ServiceError<'TOO_MANY_REQUESTS' | 'RATE_LIMIT_EXCEEDED'> {
  return error.is('TOO_MANY_REQUESTS') || error.is('RATE_LIMIT_EXCEEDED')
}

/** The details of the body; those that a header carries are left out. */
function shownDetails(error: ServiceError): object | undefined {
  if (error.is('MEDIA_TYPE_UNSUPPORTED')) return { given: error.details.given }
  return isTooMany(error) ? undefined : error.details
}
