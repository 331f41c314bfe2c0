import { fail } from '../lib/errors.ts'
import { errorReply } from '../lib/http/error-body.ts'
import type { HttpEvent, Reply } from '../lib/http/message.ts'
import { constantHeaders } from '../lib/http/middleware/security-headers.ts'
import { errorFormatAt } from '../lib/http/routing.ts'
import { consoleLog, type Log } from '../lib/runtime/log.ts'
import { systemClock } from '../lib/runtime/time.ts'

/** The class that runs a function, which serverless-offline does not export. */
const RUNNER = 'lambda/LambdaFunction.js'

/** The part of it that decides what a call answers. */
export interface Runner {
  setEvent(event: HttpEvent): void
  runHandler(): Promise<unknown>
}

/** Corrects what serverless-offline 14.8 answers in place of a function that failed: 200 with the stack of the error. */
export async function mendFailures(baseUrl: URL): Promise<void> {
  const { default: made }: { readonly default: { readonly prototype: Runner } } = await import(
    new URL(RUNNER, import.meta.resolve('serverless-offline')).href
  )
  mendRunner(made.prototype, baseUrl, consoleLog(systemClock.now))
}

/**
 * Makes a function that was ended by its deadline, or that could not be loaded, answer 503 (http-33). Jobs, whose events
 * have no path, fail as they do on Lambda.
 */
export function mendRunner(prototype: Runner, baseUrl: URL, log: Pick<Log, 'error'>): void {
  const events = new WeakMap<Runner, HttpEvent>()
  const { setEvent, runHandler } = prototype
  prototype.setEvent = function (event) {
    events.set(this, event)
    setEvent.call(this, event)
  }
  prototype.runHandler = async function () {
    const { rawPath } = events.get(this) ?? {}
    try {
      return await runHandler.call(this)
    } catch (cause) {
      if (rawPath === undefined) throw cause
      log.error('a function was ended or could not be loaded', { path: rawPath, cause })
      return failureReply(rawPath, baseUrl, systemClock.now())
    }
  }
}

/** The answer in the shape that the endpoint of this path promises. */
function failureReply(path: string, baseUrl: URL, now: Date): Reply {
  return constantHeaders(baseUrl)(errorReply(errorFormatAt(path), fail('UNAVAILABLE'), { path, now }))
}
