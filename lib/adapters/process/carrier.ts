import { type ChildProcess, fork } from 'node:child_process'
import { env } from 'node:process'
import * as z from 'zod/mini'
import type { Carrier, DeliveryAnswer, Parcel } from '../../deliver/carrier.ts'
import type { Destination, HandlerTarget } from '../../deliver/destination.ts'
import { type HandlerTry, handlerResult, thrownText } from '../../deliver/handler-try.ts'
import type { DeliverySecrets } from '../../deliver/http-headers.ts'
import { messageId } from '../../deliver/signing.ts'
import type { Clock } from '../../runtime/time.ts'
import { correlation } from '../../runtime/trace.ts'
import { goodSecrets } from '../../webhooks/verify.ts'
import { ENDS_WITH_PARENT } from './serve-handler.ts'

export interface HandlerRoute extends Pick<Destination, 'timeout'> {
  readonly target: HandlerTarget
  /** On Lambda a function and its processes end together. */
  readonly isLocal: boolean
}

interface HandlerCarrierParts {
  readonly route: HandlerRoute
  /** The module that serves the handler. */
  readonly file: string
  /** The secrets that are configured now. @throws ServiceError `UNAVAILABLE` */
  readonly secrets: () => Promise<DeliverySecrets>
  readonly clock: Clock
}

/** How long before its end a handler gets the abort signal, in milliseconds: at most a tenth of its time. */
const LAST = 1000

/** The memory that a function needs in addition to the heap of its handler, in megabytes. */
const AROUND = 128

/** A handler's variables: the names of the team's resources, none of the service's own, which may hold secrets, nor of Lambda's own API. */
const GIVEN =
  /^(?:AWS_(?!LAMBDA_RUNTIME_API$)\w+|STAGE|Team[A-Z]\w+|PATH|HOME|TZ|LANG|LC_\w+|TMPDIR|NODE_OPTIONS|NODE_EXTRA_CA_CERTS)$/

/**
 * Runs a handler in a process of its own. The process stays for the next event if this one is done. A handler that
 * loops, crashes or takes all memory ends only its own try.
 */
export function handlerCarrier({ route, file, secrets, clock }: HandlerCarrierParts): Carrier {
  const { target, timeout } = route
  let waiting: ChildProcess | undefined

  function take(): ChildProcess {
    const child = waiting
    waiting = undefined
    return child && isAlive(child) ? child : started(file, route)
  }

  return {
    async carry(parcel) {
      const given = secretsFor(target, await secrets(), clock.now())
      if (typeof given === 'string') return { kind: 'failed', answer: given }
      const child = take()
      const answer = await ask(child, tryOf(parcel, given, timeout), timeout)
      if (answer.kind === 'delivered' && waiting === undefined) waiting = child
      else child.kill('SIGKILL')
      return answer
    },
  }
}

function started(path: string, { target, isLocal }: HandlerRoute): ChildProcess {
  const child = fork(path, isLocal ? [ENDS_WITH_PARENT] : [], {
    execArgv: ['--enable-source-maps', `--max-old-space-size=${target.memory - AROUND}`],
    env: Object.fromEntries(Object.entries(env).filter(([name]) => GIVEN.test(name))),
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  // The child must not keep this process alive when there is nothing else to do.
  child.unref()
  child.channel?.unref()
  return child
}

function isAlive({ exitCode, signalCode, connected }: ChildProcess): boolean {
  return exitCode === null && signalCode === null && connected
}

/** Sends the process one event. A process that does not answer in time, or ends without an answer, has failed. */
async function ask(child: ChildProcess, given: HandlerTry, timeout: number): Promise<DeliveryAnswer> {
  const { promise, resolve } = Promise.withResolvers<DeliveryAnswer>()
  const onMessage = (message: unknown) => resolve(answerOf(message))
  const onEnd = (code: number | null, signal: string | null) =>
    resolve({ kind: 'failed', answer: `its process ended with ${signal ?? code}` })
  const onError = (error: Error) =>
    resolve({ kind: 'failed', answer: `its process does not run: ${thrownText(error)}` })
  const overdue = setTimeout(() => {
    resolve({ kind: 'failed', answer: `no end within ${timeout / 1000} s` })
    child.kill('SIGKILL')
  }, timeout)
  child.on('message', onMessage).on('exit', onEnd).on('error', onError)
  child.send(given, (error) => error && onError(error))
  try {
    return await promise
  } finally {
    clearTimeout(overdue)
    child.off('message', onMessage).off('exit', onEnd)
  }
}

/** The process may send anything, because it runs the team's code. */
function answerOf(message: unknown): DeliveryAnswer {
  const result = z.safeParse(handlerResult, message)
  if (!result.success) return { kind: 'failed', answer: 'its process sent something else than a result' }
  return result.data.kind === 'done' ? { kind: 'delivered', answer: 'done' } : result.data
}

function tryOf(
  { event, attempt, replayId, traceparent }: Parcel,
  secrets: HandlerTry['secrets'],
  timeout: number,
): HandlerTry {
  const { source, eventId, eventType: type, receivedAt, headers, proof, payload } = event
  const { possibleDuplicateOf, typeConflict = false, repeatsUntil } = event
  const marks = { proof, possibleDuplicateOf, typeConflict, repeatsUntil }
  return {
    event: { source, eventId, type, receivedAt, attempt, replayId, traceparent, headers, ...marks },
    body: payload,
    idempotencyKey: messageId(event),
    secrets,
    abortsAt: Date.now() + timeout - Math.min(LAST, timeout / 10),
    correlation: correlation(),
  }
}

/** The secrets of a handler, or the name of one that is not valid now. */
function secretsFor({ secrets: names }: HandlerTarget, known: DeliverySecrets, at: Date) {
  const given = new Map<string, string>()
  for (const name of names) {
    const value = goodSecrets(known.get(name) ?? [], at)[0]?.value
    if (value === undefined) return `no secret ${name} is good now`
    given.set(name, value)
  }
  return given
}
