import { ROUTES, type Route } from '../contract/routes.ts'
import { fail, type ServiceError } from '../errors.ts'

type PathParameters = Readonly<Record<string, string>>

/** May hold a slash once decoded; in any other parameter an encoded slash makes the path an unknown one. */
const SLASH_ALLOWED = 'eventId'

/**
 * Compares a raw path with a declared one, segment by segment and to the letter; each parameter is one segment,
 * percent-decoded once. Undefined when the path is another one.
 */
export function matchPath(declared: string, rawPath: string): PathParameters | undefined {
  const given = rawPath.split('/')
  const wanted = declared.split('/')
  if (given.length !== wanted.length) return undefined
  const pairs = wanted.map((segment, index) => matchSegment(segment, given[index] ?? ''))
  return pairs.some((pair) => pair === undefined) ? undefined : Object.fromEntries(pairs.flatMap((pair) => pair ?? []))
}

type Binding = readonly [name: string, value: string]

/** No binding for an equal segment, one for a parameter, undefined for a segment that does not match. */
function matchSegment(wanted: string, given: string): readonly Binding[] | undefined {
  const [, name] = /^\{(\w+)\}$/.exec(wanted) ?? []
  if (name === undefined) return wanted === given ? [] : undefined
  const value = decodeOnce(given)
  const isAllowed = value !== undefined && value !== '' && (name === SLASH_ALLOWED || !value.includes('/'))
  return isAllowed ? [[name, value]] : undefined
}

function decodeOnce(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

/** Spec 1.3: the endpoints of another profile do not exist, and `default` has all of them. */
export function isInProfile(route: Route, profile: string): boolean {
  return profile === 'default' || route.profile === 'all' || route.profile === profile
}

/** Why no endpoint answers this method and path: 405 with the declared methods of a known path, else 404. */
export function noEndpoint(requestMethod: string, rawPath: string, profile: string): ServiceError {
  const supportedMethods = Object.values<Route>(ROUTES)
    .filter((route) => isInProfile(route, profile) && matchPath(route.path, rawPath) !== undefined)
    .map(({ method }) => method)
    .sort()
  return supportedMethods.length === 0
    ? fail('ENDPOINT_NOT_FOUND')
    : fail('METHOD_NOT_SUPPORTED', { requestMethod, supportedMethods })
}
