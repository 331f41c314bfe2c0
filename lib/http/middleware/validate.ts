import type { HttpEvent } from '../message.ts'
import { beforeDeadline, type Call, type CallContext, type Middleware } from './call.ts'

/** Turns the request into the input of a handler. @throws ServiceError a refusal from the catalog */
export type Reader<I> = (event: HttpEvent) => I | Promise<I>

/** The middlewares that read the input of a handler, which they leave on the context. */
export type Input<I> = readonly Middleware[] & { readonly of?: I }

/** Leaves what is read on the context. */
export function validate<I>(read: Reader<I>): Middleware {
  return {
    before({ event, context }) {
      const found = read(event)
      const keep = (input: I) => {
        context.input = input
      }
      return found instanceof Promise ? beforeDeadline(found.then(keep), context) : keep(found)
    },
  }
}

/** What an input reads of a call at once, outside of any chain. @throws ServiceError a refusal from the catalog */
export function readInput<I>(input: Input<I>, event: HttpEvent): I {
  const call = { event: { ...event }, context: {} as CallContext } as Call
  for (const { before } of input) before?.(call)
  return call.context.input as I
}
