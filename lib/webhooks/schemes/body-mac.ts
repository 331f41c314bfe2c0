import type { Buffer } from 'node:buffer'
import { readBase64, readHex } from './encoding.ts'
import { HMAC_SHA256, type Method } from './methods.ts'
import { OF_ANY_AGE, type SignatureScheme } from './scheme.ts'

interface Row {
  readonly header: string
  readonly prefix?: string
  readonly read: (text: string) => Buffer | undefined
  readonly method?: Method
}

/** The most common scheme: one header holds the keyed hash of the body's bytes. */
export function bodyMac({ header, prefix = '', read, method = HMAC_SHA256 }: Row): SignatureScheme {
  return {
    header,
    methods: [method],
    read({ headers, body }) {
      const value = headers[header] ?? ''
      const signature = value.startsWith(prefix) ? read(value.slice(prefix.length)) : undefined
      return signature && { method, signatures: [signature], signed: () => [body] }
    },
    ...OF_ANY_AGE,
  }
}

export const hex = { read: readHex }
export const base64 = { read: readBase64 }
