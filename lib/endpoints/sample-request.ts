import type { Route } from './route.ts'

/**
 * A request that changes nothing, or only something that expires within a minute. One that could change more is left
 * incomplete (400), or names something that does not exist (404). The auth lab and the tests of the packaged functions
 * send it.
 */
export interface SampleRequest {
  /** The values for the braces of the path. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly query?: string
  readonly json?: object
  /** The status that a caller with access receives. */
  readonly granted: number
}

/** The sample of an API endpoint without a sample of its own: a read that needs only its path. */
export function plainRequest({ method, path }: Route): SampleRequest | undefined {
  return method === 'GET' && path.startsWith('/api/') && !path.includes('{') ? { granted: 200 } : undefined
}
