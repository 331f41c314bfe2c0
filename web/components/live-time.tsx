import { now } from '../clock.ts'
import { relativeTime } from '../relative-time.ts'

/** A time as text, and its current distance from now. */
export function LiveTime({ at }: { readonly at: Date }) {
  const iso = at.toISOString()
  return (
    <span>
      <time dateTime={iso}>{iso}</time> <span class="muted">({relativeTime(at, now.value)})</span>
    </span>
  )
}
