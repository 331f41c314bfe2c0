import { signal } from '@preact/signals'

/** The shortest time between two announcements, in milliseconds. */
const PAUSE = 5000

/** The number of recent events, for users who cannot see them arrive. */
export const arrivals = signal('')

let count = 0

/** Announces new events, together with those that follow soon. */
export function announce(more: number): void {
  if (count === 0 && more > 0) setTimeout(tell, PAUSE)
  count += more
}

function tell(): void {
  arrivals.value = count === 1 ? '1 new event' : `${count} new events`
  count = 0
}
