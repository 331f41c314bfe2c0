import type { NamedEvent } from './stage.ts'

/** A change of an event, or none for a while, and the cursor to resume after once it is taken. */
export interface HeardNotice {
  readonly event: NamedEvent | undefined
  readonly cursor: string
}

/** Changes from a cursor on. @throws StageAway, CursorRefused, StartError */
export type Notices = (cursor: string) => AsyncIterable<HeardNotice>

/** The stream does not take the cursor, or is not offered there. */
export class CursorRefused extends Error {
  override readonly name = 'CursorRefused'
}
