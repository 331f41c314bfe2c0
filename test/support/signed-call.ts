import { Buffer } from 'node:buffer'
import type { Headers, SenderClaim, SignatureScheme, SignedCall } from '../../lib/webhooks/schemes/scheme.ts'

/** A call as a provider makes it, unless the test says otherwise. */
export function signedCall(headers: Headers, body: string | Buffer = '', others: Partial<SignedCall> = {}): SignedCall {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return { method: 'POST', url: 'https://hooks.example.com/webhooks/x', headers, body: bytes, ...others }
}

/**
 * What a scheme reads of a call whose signature holds, for comparison: signatures in hexadecimal, what is signed as text.
 */
export function readingOf(scheme: SignatureScheme, call: SignedCall, keyName = '') {
  const proof = scheme.read(call)
  const confirmed = proof?.confirm ? proof.confirm(keyName) : proof
  if (!proof || !confirmed) return undefined
  return { signatures: proof.signatures.map(asHex), signedAt: confirmed.signedAt, signed: textOf(proof, keyName) }
}

function textOf(proof: SenderClaim, keyName: string): string {
  return proof.signed(keyName).map(String).join('')
}

function asHex(bytes: Buffer): string {
  return bytes.toString('hex')
}
