import type { DeadDelivery } from './dead-delivery.ts'
import type { OrderEnd } from './order-end.ts'

/** What listeners are told besides changes: once or twice, or never; the stored record is the truth. */
export type Announcement = DeadDelivery | OrderEnd

/** Receives each of them; the writer does not wait. */
export interface Announcer {
  announce(announcement: Announcement): void
}
