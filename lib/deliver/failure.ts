import { ServiceError } from '../errors.ts'
import type { DeliveryAnswer } from './carrier.ts'

/** The texts for errors, by their codes; the first row that matches counts. */
const CLASSES: readonly (readonly [codes: RegExp, text: string])[] = [
  [/^(?:ETIMEDOUT|ABORT_ERR)$/, 'timed out'],
  [/^ECONNREFUSED$/, 'connection refused'],
  [/^(?:ECONNRESET|EPIPE|ECONNABORTED)$/, 'connection reset'],
  [/^(?:ENOTFOUND|ENODATA|EAI_\w+)$/, 'name not found'],
  [/^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/, 'address not reachable'],
]

/** Node.js documentation, TLS, "X509 certificate error codes", and a host name that does not match. */
const CERTIFICATE = /CERT|CRL|^UNABLE_TO_|^INVALID_(?:CA|PURPOSE)$|^PATH_LENGTH_EXCEEDED$|^HOSTNAME_MISMATCH$/

/**
 * A try without an answer: the class of the error. Its message is left out, because it may contain received data.
 * @throws ServiceError a failure of this service itself
 */
export function failureOf(error: unknown): Extract<DeliveryAnswer, { readonly kind: 'failed' }> {
  if (error instanceof ServiceError) throw error
  const code = codeOf(error)
  const known = CLASSES.find(([codes]) => codes.test(code))?.[1]
  const text = CERTIFICATE.test(code) ? `certificate is not valid: ${code}` : `connection failed: ${code}`
  return { kind: 'failed', answer: known ?? text }
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^[A-Z][A-Z0-9_]{1,60}$/.test(code) ? code : 'for an unknown reason'
}
