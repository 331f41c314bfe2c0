import { isSessionOver } from '../session-call.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { shortTime } from '../ui/local-time.ts'
import { type ChannelState, channel } from './channel.ts'
import { readAt, trouble } from './reading.ts'

interface Wording {
  readonly text: string
  readonly tone: Tone
  readonly icon: string
  readonly more?: string
}

const WORDINGS: Readonly<Record<ChannelState, Wording>> = {
  connecting: { text: 'Connecting …', tone: 'note', icon: 'live' },
  live: { text: 'Live', tone: 'ok', icon: 'live', more: 'Changes arrive over STOMP.' },
  lost: { text: 'Every 3 s', tone: 'wait', icon: 'wait', more: 'The live connection is lost, and is tried again.' },
  polling: { text: 'Every 3 s', tone: 'note', icon: 'wait', more: 'There is no live connection.' },
}

/** Says how up to date the list is. */
export function LiveBadge() {
  const { text, tone, icon, more } = wording()
  return (
    <span role="status" title={more}>
      <Badge tone={tone} icon={icon} isSolid>
        {text}
        {more !== undefined && <span class="hide">. {more}</span>}
      </Badge>
    </span>
  )
}

function wording(): Wording {
  const age = readAt.value ? `not updated since ${shortTime(readAt.value, new Date())}` : 'not read yet'
  if (isSessionOver.value) return { text: 'Session ended', tone: 'wait', icon: 'lock', more: `The list is ${age}.` }
  if (trouble.value === undefined) return WORDINGS[channel.value]
  return { text: `${age[0]?.toUpperCase()}${age.slice(1)}`, tone: 'bad', icon: 'warn', more: trouble.value }
}
