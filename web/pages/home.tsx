import { render } from 'preact'
import type { partStates } from '../../lib/contract/answers/operation.ts'
import { ask, type Response } from '../ask.ts'
import type { EventsResponse } from '../events/record.ts'
import { LatestEvents, Parts } from '../home.tsx'
import { LiveTime } from '../ui/times.tsx'

for (const element of document.querySelectorAll<HTMLElement>('[data-live-time]')) {
  const at = new Date(element.dataset['liveTime'] ?? '')
  element.replaceChildren()
  render(<LiveTime at={at} />, element)
}

const latest = document.querySelector('[data-latest]')
if (latest) void showLatest(latest)

/** The content that the server rendered stays if there are no events, or if the request fails. */
async function showLatest(place: Element): Promise<void> {
  const { events } = await ask<EventsResponse>('/api/webhooks/events?limit=4').catch(() => ({ events: [] }))
  if (events.length === 0) return
  place.replaceChildren()
  render(<LatestEvents events={events} />, place)
}

const parts = document.querySelector('[data-parts]')
if (parts) void showParts(parts)

/** The content that the server rendered stays if the request fails. */
async function showParts(place: Element): Promise<void> {
  const status = await ask<Response<typeof partStates>>('/api/status').catch(() => undefined)
  if (status === undefined) return
  place.replaceChildren()
  render(<Parts parts={status.parts} />, place)
}
