import { isSafe } from '../../auth/csrf.ts'
import type { Principal } from '../../auth/principal.ts'
import type { Route, TrailRule } from '../../contract/route.ts'
import { type Act, actorOf, type Change, type Target } from '../../trail/act.ts'
import type { Trail } from '../../trail/trail.ts'
import { addressOf, type Trust } from '../message.ts'
import { beforeDeadline, type Call, type Findings, type Middleware } from './call.ts'

/**
 * Begins the action of a recorded route, the last thing before its handler, whose change takes the row along. What
 * changes nothing leaves its row before the answer; so does a call of a known caller that was refused or failed.
 * @throws Error for a recorded route without a trail
 */
export function audit(rule: TrailRule, { method, path }: Route, app: Trust & { readonly trail?: Trail }): Middleware {
  const { trail } = app
  if (trail === undefined) throw new Error(`${method} ${path} is recorded, and has no trail`)
  const isAlone = rule.isAlone ?? isSafe(method)

  function begin({ event, context: { parameters = {}, principal, input } }: Call): Act | undefined {
    return trail?.begin({
      action: rule.action,
      actor: principal && actorOf(principal),
      target: targetOf(rule, parameters, principal),
      change: changeIn(input, rule.names),
      from: addressOf(event, app),
      requestId: event.requestContext.requestId,
    })
  }

  return {
    before(call) {
      call.context.act = begin(call)
    },
    async after({ context: { act } }) {
      if (isAlone && act) await trail.done(act)
    },
    async onError(call) {
      const { context, error } = call
      const act = context.act ?? (context.principal && begin(call))
      if (act) await Promise.resolve(beforeDeadline(trail.ended(act, error), context)).catch(() => undefined)
    },
  }
}

/** What the path names; where it names nothing, the account of the caller. */
function targetOf({ target: type }: TrailRule, parameters: NonNullable<Findings['parameters']>, caller?: Principal) {
  if (type === undefined) return undefined
  const parts = Object.values(parameters)
  if (parts.length === 0) return { type, id: caller?.uid, name: caller?.username } satisfies Target
  const isNamed = type === 'event' || type === 'delivery' || type === 'source' || type === 'destination'
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
