import { Buffer } from 'node:buffer'
import type { SignedCall } from '../schemes/scheme.ts'

/** A webhook call as files and operators hold it: header names in any case, the body in base64. */
export interface Recorded {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly bodyBase64: string
}

export function signedCallOf({ method, url, headers, bodyBase64 }: Recorded): SignedCall {
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { method, url, headers: Object.fromEntries(lowered), body: Buffer.from(bodyBase64, 'base64') }
}

/** The address for a path. */
export function addressed(target: string, base: URL): string {
  return target.startsWith('/') ? `${base.origin}${target}` : target
}
