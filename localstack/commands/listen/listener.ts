import type { Carrier } from '../../../lib/deliver/carrier.ts'
import type { DeliveredEvent } from '../../../lib/deliver/delivery.ts'
import type { Clock } from '../../../lib/runtime/time.ts'
import { spanIdOf, traceparentOf } from '../../../lib/runtime/trace.ts'
import { UNPROVEN } from '../../../lib/webhooks/event.ts'
import type { Choice } from './choice.ts'
import type { Notices } from './feed.ts'
import type { Outage } from './outage.ts'
import type { ListenReport } from './report.ts'
import type { NamedEvent, StageApi } from './stage.ts'

interface ListenerParts {
  readonly notices: Notices
  readonly stage: Pick<StageApi, 'event'>
  readonly outage: Outage
  readonly choice: Choice
  readonly forward: Forward
  readonly report: ListenReport
}

export function createListener(start: string, parts: ListenerParts) {
  const { notices, stage, outage, choice, forward, report } = parts
  let taken = start

  async function take(named: NamedEvent, cursor: string): Promise<void> {
    const unwanted = choice.unwanted(named)
    if (unwanted !== undefined) return skip(named, unwanted)
    const event = await outage.outlast(() => stage.event(named))
    if (event === undefined) return skip(named, 'the service has no payload of it')
    const verdict = choice.judge(event)
    if (verdict.kind === 'no') return skip(named, verdict.reason)
    const replayId = verdict.order?.replayId
    const result = await forward(
      {
        id: BigInt(event.id),
        source: event.source,
        eventId: event.eventId,
        eventType: event.eventType,
        receivedAt: new Date(`${event.receivedAt}Z`),
        payload: event.payload,
        headers: event.headers,
        // Nothing of the event is sent.
        proof: UNPROVEN,
      },
      replayId,
    )
    taken = cursor
    report.forwarded(event, result, { isAgain: verdict.kind === 'again', replayId }, cursor)
  }

  function skip(event: NamedEvent, reason = ''): void {
    if (reason !== '') report.skipped(event, reason)
  }

  return {
    /** Forwards one event after the other. @throws StartError, CursorRefused when it cannot continue */
    async run(): Promise<void> {
      for await (const { event, cursor } of notices(start)) {
        if (event) await take(event, cursor)
        else report.quiet()
        taken = cursor
      }
    },
    /** Everything before it was forwarded, skipped or given up. */
    get cursor(): string {
      return taken
    },
  }
}

/** The result of forwarding an event. */
export interface ForwardResult {
  readonly isDelivered: boolean
  /** `HTTP 200`, or why there is no answer. */
  readonly answer: string
  readonly tries: number
  /** From the first try to the end of the last one. */
  readonly milliseconds: number
}

type Forward = (event: DeliveredEvent, replayId: string | undefined) => Promise<ForwardResult>

interface ForwardParts {
  readonly carrier: Carrier
  readonly clock: Clock
  /** For durations. */
  readonly steady: Clock
  readonly sleep: (milliseconds: number) => Promise<unknown>
}

/** The pauses between the tries of one event, in milliseconds. */
const PAUSES: readonly number[] = [200, 1000, 2000]

/**
 * Forwards one event at a time, and retries a failed one a few times. After it has given up on an event, each one gets
 * a single try until one succeeds, so that a server that is down holds up nothing. A server that takes too long is not
 * asked again: a person who debugs it would see the event twice.
 */
export function createForward({ carrier, clock, steady, sleep }: ForwardParts): Forward {
  let isDown = false

  /** The last answer, and the number of its try. */
  async function tried(event: DeliveredEvent, replayId: string | undefined, pauses: readonly number[]) {
    for (let tries = 1; ; tries++) {
      const traceparent = traceparentOf(event, spanIdOf(`${event.id}:${tries}`))
      const { kind, answer } = await carrier.carry({ event, attempt: tries, replayId, traceparent, at: clock.now() })
      const isDelivered = kind === 'delivered'
      const pause = pauses[tries - 1]
      if (isDelivered || pause === undefined || answer === 'timed out') return { isDelivered, answer, tries }
      await sleep(pause)
    }
  }

  return async (event, replayId) => {
    const start = steady.now().getTime()
    const result = await tried(event, replayId, isDown ? [] : PAUSES)
    isDown = !result.isDelivered
    return { ...result, milliseconds: Math.round(steady.now().getTime() - start) }
  }
}
