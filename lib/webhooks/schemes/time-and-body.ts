import type { Buffer } from 'node:buffer'
import type { Method } from './methods.ts'
import { OF_ANY_AGE, type SignatureScheme } from './scheme.ts'

interface Row {
  readonly header: string
  readonly timeHeader: string
  readonly method: Method
  readonly read: (text: string) => Buffer | undefined
  /**
   * Milliseconds since the epoch. No separator stands between time and body, so this has to recognize where a time
   * ends.
   */
  readonly readTime: (text: string) => number | undefined
}

/** One header holds a signature over the time, which is in another header, followed by the body. */
export function timeAndBody({ header, timeHeader, method, read, readTime }: Row): SignatureScheme {
  return {
    header,
    methods: [method],
    read({ headers, body }) {
      const timestamp = headers[timeHeader] ?? ''
      const signedAt = readTime(timestamp)
      const signature = read(headers[header] ?? '')
      if (!signature || signedAt === undefined) return undefined
      return { method, signatures: [signature], signed: () => [timestamp, body], signedAt }
    },
    ...OF_ANY_AGE,
  }
}
