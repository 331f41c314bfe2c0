import type { DeliveredEvent } from './delivery.ts'

/** The result of one try. */
export type DeliveryAnswer =
  | {
      readonly kind: 'delivered'
      readonly answer: string
      /** Its body has no value at the path of its message group: it went in the group of its source. */
      readonly isUngrouped?: boolean
    }
  | {
      readonly kind: 'failed'
      /** The status or the class of the error, at most 256 characters; nothing that the destination sent. */
      readonly answer: string
      /** 410: the destination accepts no further events. */
      readonly isGone?: true
      /** The pause in Retry-After, in milliseconds. */
      readonly retryAfter?: number
      /** 429 or 503: Retry-After is for the whole destination. */
      readonly isBusy?: true
      /** The service refuses this message for good: every other try would fail alike. */
      readonly isRefused?: true
    }

/** One try on its way. */
export interface Parcel {
  readonly event: DeliveredEvent
  /** 1 for the first try. */
  readonly attempt: number
  readonly replayId?: string | undefined
  /** When an operator last ordered it. */
  readonly orderedAt?: Date | undefined
  /** The value of the header `traceparent` of this try (W3C Trace Context, section 3.2). */
  readonly traceparent: string
  /** When the try begins, for the signature. */
  readonly at: Date
}

/** Carries events to one destination. */
export interface Carrier {
  /**
   * Ends within the destination's timeout.
   * @throws ServiceError `UNAVAILABLE` if this service failed: the try does not count
   */
  carry(parcel: Parcel): Promise<DeliveryAnswer>
}
