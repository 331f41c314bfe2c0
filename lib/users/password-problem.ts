import { Buffer } from 'node:buffer'
import { COMMON_PASSWORDS } from './common-passwords.ts'

const MINIMUM_CHARACTERS = 8
const MAXIMUM_BYTES = 1024

/** Made when the first password is chosen. */
let common: ReadonlySet<string> | undefined

/**
 * Why a user may not have a password, without the password; undefined when they may. Its characters are code points of its
 * NFC form, which is what is hashed.
 */
export function passwordProblem(username: string, password: string): string | undefined {
  const text = password.normalize('NFC')
  if ([...text].length < MINIMUM_CHARACTERS) return `must have at least ${MINIMUM_CHARACTERS} characters`
  if (Buffer.byteLength(text) > MAXIMUM_BYTES) return `must have at most ${MAXIMUM_BYTES} bytes`
  common ??= new Set(COMMON_PASSWORDS.trim().split(/\s+/))
  if (common.has(caseless(password))) return 'must not be one of the 10,000 commonest passwords'
  return caseless(password) === caseless(username) ? 'must not be the user name' : undefined
}

function caseless(text: string): string {
  return text.normalize('NFC').toLowerCase()
}
