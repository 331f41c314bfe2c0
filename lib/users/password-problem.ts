import { boundedPassword, nfc, PASSWORD_BYTES } from '../runtime/bounded.ts'
import { COMMON_PASSWORDS } from './common-passwords.ts'
import { userKey } from './user.ts'

const MINIMUM_CHARACTERS = 8

/** Made when the first password is chosen. */
let common: ReadonlySet<string> | undefined

/**
 * Why a user may not have a password, without the password; undefined when they may. Its characters are code points of its
 * NFC form, which is what is hashed.
 */
export function passwordProblem(username: string, password: string): string | undefined {
  const given = boundedPassword(password)
  if (given === undefined) return `must have at most ${PASSWORD_BYTES} bytes`
  const text = nfc(given)
  if ([...text].length < MINIMUM_CHARACTERS) return `must have at least ${MINIMUM_CHARACTERS} characters`
  common ??= new Set(COMMON_PASSWORDS.trim().split(/\s+/))
  const caseless = text.toLowerCase()
  if (common.has(caseless)) return 'must not be one of the 10,000 commonest passwords'
  return caseless === userKey(username) ? 'must not be the user name' : undefined
}
