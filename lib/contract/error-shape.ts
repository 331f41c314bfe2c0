import type { ServiceError } from '../errors.ts'

interface Circumstances {
  readonly path: string
  readonly now: Date
}

/** Spec 2.3, on whatever channel the error goes out. */
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

/** What is said in a header is not said twice. */
function shownDetails(error: ServiceError): object | undefined {
  return isTooMany(error) ? undefined : error.details
}
