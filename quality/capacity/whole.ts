import type { Deliveries } from './destination.ts'

/** What a world holds between two seconds. */
export interface Held {
  readonly sent: number
  /** Calls that were answered with 2xx. */
  readonly accepted: number
  readonly givenUp: number
  /** Refused calls that come again. */
  readonly underWay: number
  /** Rows of the events table. */
  readonly rows: number
  readonly destinations: readonly { readonly told: Readonly<Deliveries>; readonly waiting: () => number }[]
}

/** @throws Error when something is lost, or a sender was told of something that is not stored */
export function assertWhole({ sent, accepted, givenUp, underWay, rows, destinations }: Held): void {
  if (sent !== accepted + givenUp + underWay) throw new Error('a call is neither accepted, nor given up, nor under way')
  if (rows !== accepted) throw new Error('a 2xx tells of an event that is not stored')
  for (const { told, waiting } of destinations) {
    if (told.stored !== rows) throw new Error('an event is stored without its delivery')
    if (told.stored !== told.delivered + told.dead + waiting()) throw new Error('a delivery is lost')
  }
}
