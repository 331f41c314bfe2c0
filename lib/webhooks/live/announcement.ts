import type { DeadDelivery } from './dead-delivery.ts'
import type { OrderEnd } from './order-end.ts'

/** A message to listeners that is no change. It arrives once, twice or never; the stored record is the truth. */
export type Announcement = DeadDelivery | OrderEnd

/** Takes each announcement; the writer does not wait. */
export interface Announcer {
  announce(announcement: Announcement): void
}
