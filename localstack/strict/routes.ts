/** What an HTTP API is asked for, and the function that answers. */
interface DeclaredRoute {
  /** `ANY` for every method that has no other route of the path. */
  readonly method: string
  /** With `{parameters}`, each one segment. */
  readonly path: string
  readonly functionName: string
}

export interface RouteTable {
  readonly declared: readonly DeclaredRoute[]
  /** The function for every request that matches no route. */
  readonly fallback?: string | undefined
}

export interface FoundRoute {
  readonly functionName: string
  /** As in `event.routeKey`. */
  readonly routeKey: string
  readonly pathParameters?: Readonly<Record<string, string>>
}

/** Reads the events of functions as serverless.yml declares them: `POST /path`, `ANY /path` or `*`. */
export function routesOf(
  functions: readonly { readonly name: string; readonly events: readonly object[] }[],
): RouteTable {
  const all = functions.flatMap(({ name, events }) =>
    events.flatMap((event) => ('httpApi' in event ? [{ name, route: String(event.httpApi) }] : [])),
  )
  const declared = all.flatMap(({ name, route }) => {
    const [method = '', path] = route.split(' ')
    return path === undefined ? [] : [{ method, path, functionName: name }]
  })
  return { declared, fallback: all.find(({ route }) => route === '*')?.name }
}

/**
 * The best route for a path as it was sent: the one with the fewest parameters, of those the one with the method, and
 * `$default` where there is none (API Gateway developer guide, "Create routes for HTTP APIs").
 * @throws URIError for a parameter that cannot be decoded
 */
export function findRoute({ declared, fallback }: RouteTable, method: string, path: string): FoundRoute | undefined {
  const [best] = declared
    .filter((route) => route.method === method || route.method === 'ANY')
    .flatMap(({ method: declaredFor, path: wanted, functionName }) => {
      const pathParameters = parametersIn(wanted, path)
      return pathParameters === undefined
        ? []
        : [{ functionName, routeKey: `${declaredFor} ${wanted}`, pathParameters }]
    })
    .sort((one, other) => rankOf(one) - rankOf(other))
  if (!best) return fallback === undefined ? undefined : { functionName: fallback, routeKey: '$default' }
  const { functionName, routeKey } = best
  return countOf(best) === 0 ? { functionName, routeKey } : best
}

function rankOf(found: Required<FoundRoute>): number {
  return 2 * countOf(found) + Number(found.routeKey.startsWith('ANY '))
}

function countOf({ pathParameters }: { readonly pathParameters: object }): number {
  return Object.keys(pathParameters).length
}

/** Undefined when the path is another one. */
function parametersIn(wanted: string, path: string): Readonly<Record<string, string>> | undefined {
  const [given, declared] = [path.split('/'), wanted.split('/')]
  const isOther = declared.some((segment, index) => nameIn(segment) === undefined && segment !== given[index])
  const isEmpty = declared.some((segment, index) => nameIn(segment) !== undefined && !given[index])
  if (given.length !== declared.length || isOther || isEmpty) return undefined
  return Object.fromEntries(
    declared.flatMap((segment, index) => {
      const name = nameIn(segment)
      return name === undefined ? [] : [[name, decodeURIComponent(given[index] ?? '')]]
    }),
  )
}

function nameIn(segment: string): string | undefined {
  return /^\{(\w+)\}$/.exec(segment)?.[1]
}

/** The rate limit of a stage: a bucket of tokens, each request takes one. */
export type Rate = ReturnType<typeof rateOf>

interface Speed {
  /** Tokens that are added in a second. */
  readonly perSecond: number
  /** How many there are at most. */
  readonly burst: number
}

/** @param now in milliseconds */
export function rateOf({ perSecond, burst }: Speed, now: () => number) {
  let tokens = burst
  let last = now()
  return {
    /** Takes a token if there is one. */
    take(): boolean {
      const time = now()
      tokens = Math.min(burst, tokens + ((time - last) * perSecond) / 1000)
      last = time
      if (tokens < 1) return false
      tokens -= 1
      return true
    },
  }
}
