import { signal } from '@preact/signals'

/** No more often than that, in milliseconds. */
const PAUSE = 5000

/** How many events have come of late, for those who do not see them come. */
export const arrivals = signal('')

let count = 0

/** Has new events announced, together with those that follow soon. */
export function announce(more: number): void {
  if (count === 0 && more > 0) setTimeout(tell, PAUSE)
  count += more
}

function tell(): void {
  arrivals.value = count === 1 ? '1 new event' : `${count} new events`
  count = 0
}
