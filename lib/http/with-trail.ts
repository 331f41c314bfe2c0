import type { Context } from 'aws-lambda'
import { isSafe } from '../auth/csrf.ts'
import type { Principal } from '../auth/principal.ts'
import type { Route, TrailRule } from '../endpoints/route.ts'
import { type Act, during } from '../trail/act.ts'
import { actorOf, type Change, type Target } from '../trail/row.ts'
import type { Trail } from '../trail/trail.ts'
import { addressOf, type Trust } from './client-address.ts'
import { beforeDeadline } from './deadline.ts'
import type { HttpEvent, Reply } from './message.ts'

interface RecordedRequest {
  readonly event: HttpEvent
  readonly parameters: Readonly<Record<string, string>>
  readonly principal?: Principal | undefined
  readonly input?: unknown
}

/** Where the chain of an endpoint keeps the action of its call. */
interface Kept {
  act?: Act
}

type Run = (request: RecordedRequest) => Reply | Promise<Reply>

/** Records the calls of a route. */
export interface RouteRecorder {
  /** Runs the handler: its change takes the row along, and what changes nothing leaves its row before the answer. */
  run(request: RecordedRequest, kept: Kept, run: Run): Promise<Reply>
  /** Records a call of a known caller that was refused or failed. It never rejects. */
  ended(error: unknown, request: RecordedRequest, kept: Kept & Context): Promise<void>
}

/**
 * Undefined for a route that is not recorded.
 * @throws Error for one that is, but has no trail
 */
export function recorderOf(
  { audit, method, path }: Route,
  app: Trust & { readonly trail?: Trail },
): RouteRecorder | undefined {
  if (audit === undefined) return undefined
  if (app.trail === undefined) throw new Error(`${method} ${path} is recorded, and has no trail`)
  return recorder(audit, audit.isAlone ?? isSafe(method), { ...app, trail: app.trail })
}

function recorder(rule: TrailRule, isAlone: boolean, app: Trust & { readonly trail: Trail }): RouteRecorder {
  const { trail } = app

  function begin({ event, parameters, principal, input }: RecordedRequest): Act {
    return trail.begin({
      action: rule.action,
      actor: principal && actorOf(principal),
      target: targetOf(rule, parameters, principal),
      change: changeIn(input, rule.names),
      from: addressOf(event, app),
      requestId: event.requestContext.requestId,
    })
  }

  return {
    async run(request, kept, run) {
      const act = begin(request)
      kept.act = act
      const reply = await during(act, () => run(request))
      if (isAlone) await trail.done(act)
      return reply
    },

    async ended(error, request, kept) {
      if (request.principal === undefined) return
      const work = trail.ended(kept.act ?? begin(request), error)
      await Promise.resolve(beforeDeadline(work, kept)).catch(() => undefined)
    },
  }
}

/** What the path names; where it names nothing, the account of the caller. */
function targetOf({ target: type }: TrailRule, parameters: RecordedRequest['parameters'], caller?: Principal) {
  if (type === undefined) return undefined
  const parts = Object.values(parameters)
  if (parts.length === 0) return { type, id: caller?.uid, name: caller?.username } satisfies Target
  const isNamed = type === 'event' || type === 'delivery' || type === 'destination'
  return { type, id: parts.join('/'), name: isNamed ? parts.at(-1) : undefined } satisfies Target
}

/** Members of an input that hold a text, a number, a truth, or several texts; nothing of what is deeper. */
function changeIn(input: unknown, names: readonly string[] = []): Change | undefined {
  const given = new Map<string, unknown>(Object.entries(input ?? {}))
  const values = names.flatMap((name) => {
    const value = given.get(name)
    const isPlain = /^(?:string|number|boolean)$/.test(typeof value)
    return isPlain || Array.isArray(value) ? [[name, isPlain ? value : (value as unknown[]).map(String)]] : []
  })
  return values.length > 0 ? Object.fromEntries(values) : undefined
}
