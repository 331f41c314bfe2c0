/**
 * The first and the last call accepted from a source on one day of UTC; the last one may be ten minutes out of date.
 */
export interface HeardDay {
  readonly source: string
  readonly firstAt: Date
  readonly lastAt: Date
}

/** Stores the notes of all instances. */
export interface HeardStore {
  /**
   * Notes that a call of a source was accepted. The note expires after {@link REMEMBERED_MS}.
   * @param signal ends the request
   * @throws ServiceError `UNAVAILABLE`
   */
  note(source: string, at: Date, signal: AbortSignal): Promise<void>
}

/** The notes of all instances. */
export interface HeardList {
  /** The days of all sources since the day of that time, in any order. @throws ServiceError `UNAVAILABLE` */
  since(oldest: Date): Promise<readonly HeardDay[]>
}

/** How long a day counts, in milliseconds: within it, a source that sends once a week has sent five times. */
export const REMEMBERED_MS = 35 * 24 * 60 * 60 * 1000
