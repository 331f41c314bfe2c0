import type { Choice } from './choice.ts'
import type { Forward } from './forward.ts'
import type { Notices } from './notice.ts'
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

export interface RunningListener {
  /** Forwards one event after the other. @throws StartError, CursorRefused when it cannot continue */
  run(): Promise<void>
  /** Everything before it was forwarded, skipped or given up. */
  readonly cursor: string
}

export function createListener(start: string, parts: ListenerParts): RunningListener {
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
        proof: { level: 'none' },
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
    async run() {
      for await (const { event, cursor } of notices(start)) {
        if (event) await take(event, cursor)
        else report.quiet()
        taken = cursor
      }
    },
    get cursor() {
      return taken
    },
  }
}
