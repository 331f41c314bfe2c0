import { now } from '../clock.ts'
import { relativeTime } from '../relative-time.ts'
import { fullTime, shortTime, zone } from './local-time.ts'

/** A time for a column; the tooltip has it in UTC. */
export function ShortTime({ at }: { readonly at: Date }) {
  const iso = at.toISOString()
  return (
    <time class="num" dateTime={iso} title={`${fullTime(at)} ${zone}\n${iso}`}>
      {shortTime(at, now.value)}
    </time>
  )
}

/** A time in full, and its distance from now; the tooltip has it in UTC. */
export function LiveTime({ at }: { readonly at: Date }) {
  const iso = at.toISOString()
  return (
    <span>
      <time class="num" dateTime={iso} title={iso}>
        {fullTime(at)} {zone}
      </time>{' '}
      <span class="muted">{relativeTime(at, now.value)}</span>
    </span>
  )
}
