import { type Metadata, ServerInterceptingCall, type ServerInterceptor, type StatusObject } from '@grpc/grpc-js'
import type { Principal } from '../auth/principal.ts'
import { expired } from '../auth/token-status.ts'
import { fail } from '../errors.ts'
import { alarmAt } from '../platform/alarm.ts'
import type { Clock } from '../platform/clock.ts'
import { authenticate, type TokenCheck } from './authenticate.ts'
import { keepCall } from './call.ts'
import { authorize } from './policy.ts'
import type { Refuse } from './refusals.ts'
import { statusOf } from './status.ts'
import { whenSettled } from './when-settled.ts'

interface GuardParts {
  readonly check: TokenCheck
  readonly clock: Clock
  readonly refuse: Refuse
}

/** Stands before every method: no handler runs before its call was let in, none is heard after its call is over. */
export interface Guard {
  readonly intercept: ServerInterceptor
  /** Ends every open stream, and every one that comes from now on, as unavailable. */
  endStreams(): void
}

export function createGuard({ check, clock, refuse }: GuardParts): Guard {
  const streams = new Set<(status: StatusObject) => void>()
  let isClosing = false

  function intercept(...[{ path, requestStream, responseStream }, call]: Parameters<ServerInterceptor>) {
    const isStream = requestStream || responseStream
    let abort: AbortController | undefined
    let turnAlarmOff = () => {}
    let isOver = false

    function close(): void {
      isOver = true
      turnAlarmOff()
      streams.delete(end)
      abort?.abort(OVER)
    }

    /** Made for the handler that asks for it: hardly one does, and an abort is dear. */
    function signal(): AbortSignal {
      abort ??= new AbortController()
      if (isOver) abort.abort(OVER)
      return abort.signal
    }

    function end(status: StatusObject): void {
      if (isOver) return
      close()
      call.sendStatus(status)
    }

    /** A stream lasts no longer than the token that opened it. */
    function follow(principal: Principal | undefined): void {
      streams.add(end)
      const until = principal?.tokenExpiresAt
      if (until) turnAlarmOff = alarmAt(clock, until, () => end(refuse(expired(until, clock.now()), path)))
      if (isClosing) end(CLOSING)
    }

    function enter(principal: Principal | undefined, metadata: Metadata, onward: (metadata: Metadata) => void): void {
      authorize(principal, path)
      if (isOver) return
      keepCall(metadata, { principal, signal })
      if (isStream) follow(principal)
      if (!isOver) onward(metadata)
    }

    return new ServerInterceptingCall(call, {
      start: (next) =>
        next({
          onReceiveMetadata: (metadata, onward) =>
            whenSettled(
              () => authenticate(metadata, path, check),
              (principal) => enter(principal, metadata, onward),
              (error) => end(refuse(error, path)),
            ),
          onCancel: close,
        }),
      sendMessage: (message, next) => void (isOver || next(message)),
      sendStatus: (status, next) => {
        if (isOver) return
        close()
        next(status)
      },
    })
  }

  return {
    intercept,
    endStreams() {
      isClosing = true
      for (const end of streams) end(CLOSING)
    },
  }
}

/** Without a reason that is there already, each abort makes an error with its stack. */
const OVER = new Error('the call is over')

const CLOSING = statusOf(fail('UNAVAILABLE'))
