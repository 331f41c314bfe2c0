/** The calls that were taken from a source on one day of UTC: the first, and the last one but for ten minutes. */
export interface HeardDay {
  readonly source: string
  readonly firstAt: Date
  readonly lastAt: Date
}

/** Takes the notes of all instances. */
export interface HeardStore {
  /**
   * Notes that a call of a source was taken. The note is forgotten after {@link REMEMBERED_MS}.
   * @param signal ends the request
   * @throws ServiceError `UNAVAILABLE`
   */
  note(source: string, at: Date, signal: AbortSignal): Promise<void>
}

/** What all instances noted. */
export interface HeardList {
  /** The days of all sources from the day of that time on, in any order. @throws ServiceError `UNAVAILABLE` */
  since(oldest: Date): Promise<readonly HeardDay[]>
}

/** How long a day counts, in milliseconds: a source that speaks once a week has spoken five times by then. */
export const REMEMBERED_MS = 35 * 24 * 60 * 60 * 1000
