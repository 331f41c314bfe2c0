/** The id of the element with the operations of the reference, as JSON. */
export const OPERATIONS_ID = 'operations'

/** An operation of the API, as the reference calls it. */
export interface TriedOperation {
  /** Its name in the description, and the id of its section. */
  readonly id: string
  readonly method: string
  /** With names in braces. */
  readonly path: string
  readonly parameters: readonly {
    readonly name: string
    readonly in: 'path' | 'query'
    /** What is there at first. */
    readonly value: string
  }[]
  /** The media type of its body, if it reads one. */
  readonly type?: string
  /** A body that fits. */
  readonly body?: string
}
