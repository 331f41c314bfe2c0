import type { partStates } from '../lib/contract/answers/operation.ts'
import type { Response } from './ask.ts'
import { type EventRecord, eventLook, recordName } from './events/record.ts'
import { type Look, LookBadge } from './ui/badge.tsx'
import { Icon } from './ui/icon.tsx'
import { ForeignText } from './ui/text.tsx'
import { ShortTime } from './ui/times.tsx'

type Shown = Pick<EventRecord, 'source' | 'eventId' | 'eventType' | 'status' | 'nextRetryAt' | 'outcome' | 'receivedAt'>

/** The newest events of the inbox, one line each. */
export function LatestEvents({ events }: { readonly events: readonly Shown[] }) {
  return events.map((event) => (
    <li key={recordName(event)} class="row">
      <LookBadge look={eventLook(event)} />
      <span class="grow clip">
        <ForeignText text={event.eventType} />
      </span>
      <span class="muted">
        <ShortTime at={event.receivedAt} />
      </span>
    </li>
  ))
}

export type PartsOfStage = Response<typeof partStates>['parts']
type Part = PartsOfStage[number]

const SHOWN: Readonly<Record<string, readonly [icon: string, name: string]>> = {
  database: ['grid', 'Database'],
  queue: ['queue', 'Retry queue'],
  directory: ['users', 'Directory'],
  channels: ['live', 'STOMP and gRPC'],
  google: ['lanes', 'Google login'],
  github: ['lanes', 'GitHub login'],
  facebook: ['lanes', 'Facebook login'],
}

const STATES: Readonly<Record<Part['state'], Look>> = {
  ok: { label: 'Answers', tone: 'ok' },
  slow: { label: 'Slow', tone: 'wait' },
  silent: { label: 'No answer in 3 s', tone: 'wait' },
  misconfigured: { label: 'Misconfigured', tone: 'bad' },
  down: { label: 'Down', tone: 'bad' },
}

/** The parts of the stage, each with its state. */
export function Parts({ parts }: { readonly parts: PartsOfStage }) {
  return (
    <>
      {parts.map(({ name, state, address, waiting, problems = [] }) => {
        const [icon, title] = SHOWN[name] ?? ['lanes', `${name} login`]
        const details = [address && hostOf(address), waiting === undefined ? '' : `${waiting} waiting`, ...problems]
        return (
          <li key={name} class="row">
            <Icon name={icon} />
            <b>{title}</b> <span class="small muted clip">{details.filter(Boolean).join(', ')}</span>
            <span class="push">
              <LookBadge look={STATES[state]} />
            </span>
          </li>
        )
      })}
    </>
  )
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address
}
