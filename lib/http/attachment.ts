import type { Buffer } from 'node:buffer'
import { MIMEType } from 'node:util'
import type { Reply } from './message.ts'

/** Bytes from a foreign sender. */
interface Received {
  readonly bytes: Buffer
  /** As its sender named it; anything may stand there. */
  readonly type: string | undefined
  /** What the file is called, without its ending; of other characters than letters, digits, `.`, `_` and `-` only one is left. */
  readonly name: string
}

/** A type that no browser shows or runs. */
const UNKNOWN = 'application/octet-stream'

/** Those of files in which nothing can run, wherever they are opened. */
const ENDINGS = [
  [/[/+]json$/, 'json'],
  [/^text\/plain$/, 'txt'],
] as const

const MAXIMUM_NAME = 100

/** The bytes as they came, as a file to keep: a browser neither shows nor runs it here. */
export function attachment({ bytes, type, name }: Received): Reply {
  const known = readType(type)
  const ending = ENDINGS.find(([form]) => form.test(known?.essence ?? ''))?.[1] ?? 'bin'
  return {
    statusCode: 200,
    headers: {
      'content-type': known?.toString() ?? UNKNOWN,
      'content-disposition': `attachment; filename="${plain(name)}.${ending}"`,
      'content-security-policy': "sandbox; default-src 'none'",
    },
    body: bytes.toString('base64'),
    isBase64Encoded: true,
  }
}

/** Undefined for an invalid media type, or one that a header cannot contain. */
function readType(text = ''): MIMEType | undefined {
  try {
    const type = new MIMEType(text)
    return /^[ -~]+$/.test(type.toString()) ? type : undefined
  } catch {
    return undefined
  }
}

/** No name of a file begins with a dot or a dash. */
function plain(name: string): string {
  return name
    .replaceAll(/[^\w.-]+/g, '_')
    .replace(/^[.-]+/, '')
    .slice(0, MAXIMUM_NAME)
}
