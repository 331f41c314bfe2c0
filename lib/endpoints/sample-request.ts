import type { Route } from './route.ts'

/**
 * A request that changes nothing: what would is left incomplete (400), or names nothing that is there (404). The
 * playground makes it, and so does whoever tries an endpoint on Lambda.
 */
export interface SampleRequest {
  /** For the braces of the path. */
  readonly parameters?: Readonly<Record<string, string>>
  readonly query?: string
  readonly json?: object
  /** The status that it earns, once it is let in. */
  readonly granted: number
}

/** Of an endpoint of the API that has no sample of its own: reading it takes nothing but its path. */
export function plainRequest({ method, path }: Route): SampleRequest | undefined {
  return method === 'GET' && path.startsWith('/api/') && !path.includes('{') ? { granted: 200 } : undefined
}
