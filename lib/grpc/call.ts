import type { Metadata } from '@grpc/grpc-js'
import type * as z from 'zod/mini'
import type { Principal } from '../auth/principal.ts'
import type { TrailAction } from '../contract/requests/trail.ts'
import { fail, invalid, ServiceError } from '../errors.ts'
import { LONGEST_MS } from '../runtime/async.ts'
import { correlation } from '../runtime/trace.ts'
import { actorOf, type Deed } from '../trail/act.ts'
import type { EventKey } from '../webhooks/event.ts'

/** What a method knows of a call, in addition to its message. */
export interface CallContext {
  /** Undefined for a method that is open to everybody. */
  readonly principal: Principal | undefined
  /** The address of the caller. */
  from(): string
  /** Is aborted as soon as nothing more can be sent: the call ended, its caller disconnected, its token expired. */
  signal(): AbortSignal
}

const CALL = Symbol('call')

type Kept = Metadata & { [CALL]?: CallContext }

/** The interceptor passes the context of a call to its handler: both receive the same metadata object. */
export function keepCall(metadata: Kept, call: CallContext): void {
  metadata[CALL] = call
}

/** @throws Error for a call that did not pass the interceptor */
export function callOf({ [CALL]: call }: Kept): CallContext {
  if (call) return call
  throw new Error('the call was not accepted')
}

/** @throws ServiceError `AUTHENTICATION_REQUIRED` */
export function callerOf({ principal }: CallContext): Principal {
  if (principal) return principal
  throw fail('AUTHENTICATION_REQUIRED')
}

/**
 * Reads what a message asks for as its schema requires it.
 * @throws ServiceError `VALIDATION_FAILED` with one row for each refused field
 */
export function readMessage<S extends z.ZodMiniType>(schema: S, given: unknown): z.output<S> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues)
}

/** The value of a text or a number; proto3 knows no other sign of absence than an empty one. */
export function given<T extends string | number>(value: T): T | undefined {
  return value || undefined
}

/**
 * Runs what names its input otherwise than the message does.
 * @param fields the names of the message, where they differ
 * @throws what `run` throws, refused fields under the names of the message
 */
export async function renaming<T>(fields: Readonly<Record<string, string>>, run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ServiceError && error.is('VALIDATION_FAILED'))) throw error
    const { validationErrors } = error.details
    throw fail('VALIDATION_FAILED', {
      validationErrors: validationErrors.map((row) => ({ ...row, field: fields[row.field] ?? row.field })),
    })
  }
}

const NAME = 'grpc-timeout'

const FORM = /^(\d+)([HMSmun])$/

/** In milliseconds, by https://github.com/grpc/grpc/blob/master/doc/PROTOCOL-HTTP2.md. */
const UNITS: ReadonlyMap<string, number> = new Map([
  ['H', 3_600_000],
  ['M', 60_000],
  ['S', 1000],
  ['m', 1],
  ['u', 1e-3],
  ['n', 1e-6],
])

/**
 * Takes away a deadline that is further off than a timer reaches: grpc-js 1.14.7 would end the call at once, or far too
 * early. No connection lives that long.
 */
export function dropFarDeadline(headers: Partial<Record<string, unknown>>): void {
  const [, amount, unit = ''] = FORM.exec(String(headers[NAME])) ?? []
  if (Number(amount) * (UNITS.get(unit) ?? 0) > LONGEST_MS) delete headers[NAME]
}

/**
 * Calls `done` with the result of the work, or `failed` with what either of them throws. It waits for a promise only,
 * so that a call whose token is known loses no time.
 */
export function whenSettled<T>(
  work: () => T | Promise<T>,
  done: (value: T) => void,
  failed: (error: unknown) => void,
): void {
  try {
    const outcome = work()
    if (outcome instanceof Promise) void outcome.then(done).catch(failed)
    else done(outcome)
  } catch (error) {
    failed(error)
  }
}

/** What a call does to an event. */
export function deedOn({ source, eventId }: EventKey, action: TrailAction, call: CallContext): Deed {
  const target = { type: 'event', id: `${source}/${eventId}`, name: eventId } as const
  return { ...deedOf(callerOf(call), action, call.from()), target }
}

export function deedOf(principal: Principal, action: TrailAction, from: string): Deed {
  return { action, actor: actorOf(principal), from, requestId: correlation().requestId }
}
