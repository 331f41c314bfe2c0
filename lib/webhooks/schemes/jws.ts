import { Buffer } from 'node:buffer'
import { fromUtf8 } from '../../runtime/text.ts'
import { readBase64url } from './encoding.ts'
import { scannerOf } from './scan.ts'

type Values = Readonly<Record<string, unknown>>

/** A JWS in its compact form (RFC 7515, section 7.1). */
export interface Jws {
  readonly signature: Buffer
  /** What is signed. */
  readonly signed: string
  /** Which key it says that it is signed with; undefined without one of 1 to 128 printable characters. */
  readonly keyId: string | undefined
  /** The parsed parts, for after the signature holds; an empty object for a part that is no JSON object. */
  readonly header: () => Values
  readonly claims: () => Values
}

const scan = scannerOf([['kid']])

/** Undefined for a text that is no JWS. */
export function readJws(text: string): Jws | undefined {
  const [header = '', payload = '', mac = '', ...more] = text.split('.')
  const signature = readBase64url(mac)
  if (!signature || more.length > 0) return undefined
  const [keyId = ''] = scan(readBase64url(header) ?? Buffer.alloc(0))
  return {
    signature,
    signed: `${header}.${payload}`,
    keyId: /^[\x21-\x7e]{1,128}$/.test(keyId) ? keyId : undefined,
    header: () => valuesIn(header),
    claims: () => valuesIn(payload),
  }
}

function valuesIn(part: string): Values {
  return jsonObject(readBase64url(part) ?? new Uint8Array())
}

/** The JSON object in these bytes; an empty object for anything else. */
export function jsonObject(bytes: Uint8Array): Values {
  try {
    const parsed: unknown = JSON.parse(fromUtf8(bytes) ?? '')
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : {}
  } catch {
    return {}
  }
}
