import type { Buffer } from 'node:buffer'
import { readBase64, readSeconds } from './encoding.ts'
import { ED25519_WHPK, HMAC_SHA256_WHSEC } from './methods.ts'
import { REFUSALS, type SenderClaim, type SignatureScheme } from './scheme.ts'

const METHODS = { v1: HMAC_SHA256_WHSEC, v1a: ED25519_WHPK } as const

type Version = keyof typeof METHODS

/** Before the names of the headers. */
export type StandardPrefix = 'webhook' | 'svix'

/**
 * Standard Webhooks, "Signature scheme": a list of `v1,<base64>` and `v1a,<base64>` over `id.timestamp.body`. Of these
 * count only the entries of the versions, and for each secret only those of its own kind.
 */
export function standardWebhooks(
  prefix: StandardPrefix,
  versions: readonly [Version, ...Version[]] = ['v1', 'v1a'],
): SignatureScheme {
  const header = `${prefix}-signature`
  const idHeader = `${prefix}-id`
  const timeHeader = `${prefix}-timestamp`
  const [first, ...others] = versions
  return {
    header,
    methods: [METHODS[first], ...others.map((version) => METHODS[version])],
    read({ headers, body }): SenderClaim | undefined {
      const id = headers[idHeader]
      const timestamp = headers[timeHeader] ?? ''
      const signedAt = readSeconds(timestamp)
      const [claimed, ...alsoClaimed] = versions.flatMap((version) => claimIn(headers[header] ?? '', version))
      if (!id || signedAt === undefined || !claimed) return undefined
      const signed = () => [`${id}.${timestamp}.`, body]
      return { ...claimed, others: alsoClaimed, signed, signedAt, headers: [idHeader] }
    },
    toleranceSeconds: 300,
    refusals: REFUSALS,
  }
}

/**
 * The maximum number of checked entries of a version. There are two while a secret is replaced; each under a public key
 * costs a pass over the body before anything is proven.
 */
const MAXIMUM_ENTRIES = 8

/** The signatures of a version; none if there are no readable ones. */
function claimIn(list: string, version: Version): readonly Pick<SenderClaim, 'method' | 'signatures'>[] {
  const signatures: Buffer[] = []
  for (const entry of list.split(' ')) {
    // With several secrets Supabase writes a comma behind each entry but the last.
    const [name, encoded = '', ...rest] = entry.split(',')
    const signature = name === version && rest.join() === '' ? readBase64(encoded) : undefined
    if (signature && signatures.length < MAXIMUM_ENTRIES) signatures.push(signature)
  }
  return signatures.length > 0 ? [{ method: METHODS[version], signatures }] : []
}
