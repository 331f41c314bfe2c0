import type { Buffer } from 'node:buffer'
import { readHex, readSeconds } from './encoding.ts'
import { HMAC_SHA256, type Method } from './methods.ts'
import { OF_ANY_AGE, REFUSALS, type SignatureScheme } from './scheme.ts'

interface Timestamped extends Partial<Pick<SignatureScheme, 'refusals'>> {
  readonly header: string
  /** The separator between two elements. */
  readonly separator: string
  /** The names of the elements that hold the time and a signature. */
  readonly names: { readonly time: string; readonly signature: string }
  /** The separator between time and body in the signed content. */
  readonly joint: string
  /** Milliseconds since the epoch. */
  readonly readTime: (text: string) => number | undefined
  readonly toleranceSeconds: number
}

/**
 * One header holds elements `name=value`: one is the time, and one or more are signatures over time and body. Elements
 * with other names belong to other schemes and do not count.
 */
export function timestamped({
  header,
  separator,
  names,
  joint,
  readTime,
  toleranceSeconds,
  refusals = REFUSALS,
}: Timestamped) {
  return {
    header,
    methods: [HMAC_SHA256],
    read({ headers, body }) {
      const { times, signatures } = readElements(headers[header] ?? '', separator, names)
      const [time = '', ...otherTimes] = times
      const signedAt = readTime(time)
      if (signedAt === undefined || otherTimes.length > 0 || signatures.length === 0) return undefined
      return { method: HMAC_SHA256, signatures, signed: () => [`${time}${joint}`, body], signedAt }
    },
    toleranceSeconds,
    refusals,
  } satisfies SignatureScheme
}

/** The elements of the header; none if a part of the text is no element. */
function readElements(text: string, separator: string, names: Timestamped['names']) {
  const times: string[] = []
  const signatures: Buffer[] = []
  for (const element of text.split(separator)) {
    const end = element.indexOf('=')
    if (end < 1) return { times: [], signatures: [] }
    const name = element.slice(0, end)
    const value = element.slice(end + 1)
    if (name === names.time) times.push(value)
    const signature = name === names.signature ? readHex(value) : undefined
    if (signature) signatures.push(signature)
  }
  return { times, signatures }
}

interface TimeAndBody {
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
export function timeAndBody({ header, timeHeader, method, read, readTime }: TimeAndBody): SignatureScheme {
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

/** `v0=<hex>` over `v0:timestamp:body`. */
export function versioned(header: string, timeHeader: string): SignatureScheme {
  return {
    header,
    methods: [HMAC_SHA256],
    read({ headers, body }) {
      const timestamp = headers[timeHeader] ?? ''
      const signedAt = readSeconds(timestamp)
      const value = headers[header] ?? ''
      const signature = value.startsWith('v0=') ? readHex(value.slice(3)) : undefined
      if (!signature || signedAt === undefined) return undefined
      return { method: HMAC_SHA256, signatures: [signature], signed: () => [`v0:${timestamp}:`, body], signedAt }
    },
    toleranceSeconds: 300,
    refusals: REFUSALS,
  }
}
