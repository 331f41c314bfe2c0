import type { Buffer } from 'node:buffer'
import { readHex } from './encoding.ts'
import { HMAC_SHA256 } from './methods.ts'
import { REFUSALS, type SignatureScheme } from './scheme.ts'

interface Row extends Partial<Pick<SignatureScheme, 'refusals'>> {
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
export function timestamped({ header, separator, names, joint, readTime, toleranceSeconds, refusals = REFUSALS }: Row) {
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
function readElements(text: string, separator: string, names: Row['names']) {
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
