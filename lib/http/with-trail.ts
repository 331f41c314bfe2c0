import { isSafe } from '../auth/csrf.ts'
import type { Principal } from '../auth/principal.ts'
import type { Route, TrailRule } from '../endpoints/route.ts'
import { actorOf, type Trail, type TrailEntry } from '../trail/entry.ts'
import { recordChange, recordReading } from '../trail/recorded.ts'
import { addressOf, type Trust } from './client-address.ts'
import type { HttpEvent, Reply } from './message.ts'

interface RecordedRequest {
  readonly event: HttpEvent
  readonly parameters: Readonly<Record<string, string>>
  readonly principal?: Principal | undefined
  readonly input?: unknown
}

type Run = (request: RecordedRequest) => Reply | Promise<Reply>

/**
 * The handler of a route, which records what the rule of its route says.
 * @throws Error for a route with such a rule, but without a trail
 */
export function withTrail(route: Route, app: Trust & { readonly trail?: Trail }, run: Run): Run {
  const { audit, method } = route
  const { trail } = app
  if (audit === undefined) return run
  if (trail === undefined) throw new Error(`${method} ${route.path} is recorded, and has no trail`)
  const record = isSafe(method) ? recordReading : recordChange
  return (request) => record(trail, entryOf(audit, request, app), () => run(request))
}

function entryOf({ action, names = [] }: TrailRule, request: RecordedRequest, app: Trust): TrailEntry {
  const { event, parameters, principal, input } = request
  const { requestId } = event.requestContext
  const target = { ...parameters, ...membersOf(input, names) }
  return { action, ...(principal && actorOf(principal)), from: addressOf(event, app), requestId, target }
}

/** Members of an input that hold a text, a number, a truth, or several of them; nothing of what is deeper. */
function membersOf(input: unknown, names: readonly string[]): Readonly<Record<string, string>> {
  const given = new Map(Object.entries(input ?? {}))
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = [given.get(name)].flat().filter((value) => /^(?:string|number|boolean)$/.test(typeof value))
      return values.length > 0 ? [[name, values.map(String).join(' ')]] : []
    }),
  )
}
