import { render } from 'preact'
import { ask } from '../ask.ts'
import type { EventsResponse } from '../events/record.ts'
import { LatestEvents } from '../home/latest-events.tsx'
import { LiveTime } from '../ui/live-time.tsx'

for (const element of document.querySelectorAll<HTMLElement>('[data-live-time]')) {
  const at = new Date(element.dataset['liveTime'] ?? '')
  element.replaceChildren()
  render(<LiveTime at={at} />, element)
}

const latest = document.querySelector('[data-latest]')
if (latest) void showLatest(latest)

/** What the server rendered stays where there are no events, and where the service does not tell. */
async function showLatest(place: Element): Promise<void> {
  const { events } = await ask<EventsResponse>('/api/webhooks/events?limit=4').catch(() => ({ events: [] }))
  if (events.length === 0) return
  place.replaceChildren()
  render(<LatestEvents events={events} />, place)
}
