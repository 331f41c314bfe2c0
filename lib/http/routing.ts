import { isInProfile } from '../auth/profile.ts'
import { ROUTES } from '../contract/gen/endpoints.ts'
import type { ErrorFormat, Route } from '../contract/route.ts'
import { fail, type ServiceError } from '../errors.ts'
import type { Catalog } from '../webhooks/sources/catalog.ts'
import type { HttpEvent } from './message.ts'

type PathParameters = Readonly<Record<string, string>>

/** May contain a slash once decoded; in any other parameter an encoded slash makes the path an unknown one. */
const SLASH_ALLOWED = 'eventId'

/** The names of a source (webhooks-3). */
const PROVIDER = /^[a-z0-9][a-z0-9._-]{0,63}$/i

/** A name with this ending has a secret, for a provider's question by GET, but is no provider. */
const NO_PROVIDER = /\.verify$/i

/**
 * Compares a raw path with a declared one, segment by segment and exactly; each parameter is one segment,
 * percent-decoded once. Undefined when the path is another one.
 */
export function matchPath(declared: string, rawPath: string): PathParameters | undefined {
  if (!hasParameters(declared)) return rawPath === declared ? {} : undefined
  const given = rawPath.split('/')
  const wanted = declared.split('/')
  if (given.length !== wanted.length) return undefined
  const pairs = wanted.map((segment, index) => matchSegment(segment, given[index] ?? ''))
  return pairs.some((pair) => pair === undefined) ? undefined : Object.fromEntries(pairs.flatMap((pair) => pair ?? []))
}

/** Whether the declared path stands for more than one. */
function hasParameters(declared: string): boolean {
  return declared.includes('{')
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

/** The name of the provider that a path names, in lower case; undefined for a path that names none. */
export function providerIn({ path }: Route, rawPath: string): string | undefined {
  const { provider = '' } = matchPath(path, rawPath) ?? {}
  return PROVIDER.test(provider) && !NO_PROVIDER.test(provider) ? provider.toLowerCase() : undefined
}

/** Compares a raw path with that of a route; a provider in it must have the name of one. */
export function matchRoute(route: Route, rawPath: string): PathParameters | undefined {
  const parameters = matchPath(route.path, rawPath)
  if (parameters?.['provider'] === undefined) return parameters
  return providerIn(route, rawPath) === undefined ? undefined : parameters
}

/** As {@link Catalog} has it. */
export type AsksByGet = Catalog['asksByGet']

const nobodyAsks: AsksByGet = () => false

/** The methods of a route at a path that it matches: HEAD wherever GET is (http-5). */
export function methodsTaken(route: Route, rawPath: string, asksByGet = nobodyAsks): readonly string[] {
  const { method, changes, isChallenge } = route
  if (method !== 'GET' || changes) return [method]
  return isChallenge && !asksByGet(providerIn(route, rawPath) ?? '') ? ['HEAD'] : ['GET', 'HEAD']
}

/** The error format of the endpoint for this very name, else `text`; upper and lower case are the same (webhooks-3). */
export function webhookFormat(name: string): ErrorFormat {
  return Object.values<Route>(ROUTES).find(({ path }) => path === `/webhooks/${name}`)?.errors ?? 'text'
}

/** The format in which a route refuses a call. */
export function errorFormat(route: Route, rawPath: string): ErrorFormat {
  const provider = providerIn(route, rawPath)
  return provider === undefined ? (route.errors ?? 'api') : webhookFormat(provider)
}

/** Those of every profile whose path matches. */
export function routesAt(rawPath: string): readonly Route[] {
  return Object.values<Route>(ROUTES).filter((route) => matchRoute(route, rawPath) !== undefined)
}

/** That of the endpoint at a path; `api` without one. */
export function errorFormatAt(rawPath: string): ErrorFormat {
  const [route] = routesAt(rawPath)
  return route === undefined ? 'api' : errorFormat(route, rawPath)
}

/** The methods of a path in a profile, sorted; none for a path that no endpoint has. */
export function methodsOf(rawPath: string, profile: string, asksByGet?: AsksByGet): readonly string[] {
  const methods = routesAt(rawPath)
    .filter((route) => isInProfile(route, profile))
    .flatMap((route) => methodsTaken(route, rawPath, asksByGet))
  return [...new Set(methods)].sort()
}

/**
 * Why no endpoint answers this method and path: 405 with the methods of a known path, else 404. The gateway
 * takes a path in another spelling, as `/api%2Fpublic/hello`, for unknown, but passes it on decoded.
 */
export function noEndpoint(
  requestMethod: string,
  rawPath: string,
  profile: string,
  asksByGet?: AsksByGet,
): ServiceError {
  const supportedMethods = methodsOf(rawPath, profile, asksByGet)
  return supportedMethods.length === 0 || supportedMethods.includes(requestMethod)
    ? fail('ENDPOINT_NOT_FOUND', webhookMeant(rawPath))
    : fail('METHOD_NOT_SUPPORTED', { requestMethod, supportedMethods })
}

/**
 * The address of webhooks that a path differs from by case, slashes, blanks or an `s`. No gateway routes such a path to
 * the intake, so it is not among the refusals: the sender's log has the answer.
 */
function webhookMeant(rawPath: string): { readonly meant: string } | undefined {
  const segments = decodeOnce(rawPath)?.toLowerCase().split('/') ?? []
  const [folder = '', name = '', ...others] = segments.map((segment) => segment.trim()).filter(Boolean)
  const meant = `/webhooks/${name}`
  const isMeant = /^webhooks?$/.test(folder) && others.length === 0 && matchRoute(ROUTES.webhookProvider, meant)
  return isMeant ? { meant } : undefined
}

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
export function sentPath(route: Pick<Route, 'path'> | undefined, { rawPath, pathParameters }: HttpEvent): string {
  if (rawPath === route?.path) return rawPath
  if (route === undefined || !hasParameters(route.path)) return writable(rawPath)
  const filled = (write: (value: string) => string) =>
    route.path.replaceAll(/\{(\w+)\}/g, (_, name) => write(pathParameters?.[name] ?? ''))
  const decoded = filled(String)
  const isDecoded = rawPath === decoded || rawPath === decoded.split('?', 1)[0]
  return writable(isDecoded ? filled(escaped) : rawPath)
}

/** A decoded path, with only the characters that a path may have. */
function writable(path: string): string {
  return path.toWellFormed().replaceAll(DECODED, encodeURIComponent)
}

function escaped(value: string): string {
  return value.replaceAll(AMBIGUOUS, encodeURIComponent)
}
