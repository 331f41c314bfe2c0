import { ROUTES } from '../../lib/endpoints/index.ts'
import type { Route } from '../../lib/endpoints/route.ts'
import { matchRoute, methodsTaken } from '../../lib/http/routing.ts'
import type { SeenCall } from './call.ts'

/** A session begins and ends outside of the API. */
const SESSION_PATHS = ['/login', '/logout']

/** Whether a path can be called below a fault. */
export function isApiPath(path: string): boolean {
  return path.startsWith('/api/') || SESSION_PATHS.includes(path)
}

/** Whether the endpoint of a call ignores credentials. */
export function isPublic({ method, path }: Pick<SeenCall, 'method' | 'path'>): boolean {
  return Object.values<Route>(ROUTES).some(
    (route) =>
      route.access === 'public' && matchRoute(route, path) !== undefined && methodsTaken(route, path).includes(method),
  )
}
