import { EncryptJWT, jwtDecrypt } from 'jose'
import * as z from 'zod/mini'
import type { Current } from '../../runtime/secrets.ts'
import type { Clock } from '../../runtime/time.ts'

/** A login on its way through a provider; only the browser that began it holds it, and cannot read it. */
export interface Transaction {
  readonly registrationId: string
  readonly state: string
  readonly nonce: string
  /** RFC 7636 */
  readonly codeVerifier: string
  readonly returnTo: string
}

export interface LoginTransactions {
  seal(transaction: Transaction): Promise<string>
  /** Undefined for a text that we did not seal, or not in the last ten minutes. */
  open(text: string): Promise<Transaction | undefined>
}

export const TRANSACTION_SECONDS = 600

const AUDIENCE = 'oauth2-tx'
const HEADER = { alg: 'dir', enc: 'A256GCM' } as const
const MAXIMUM_LENGTH = 2048

const shape = z.object({
  registrationId: z.string(),
  state: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  returnTo: z.string(),
})

/** @param keys of 32 bytes; the first seals */
export function createTransactions(keys: Current<readonly Uint8Array[]>, clock: Clock): LoginTransactions {
  return {
    seal(transaction) {
      const [newest = new Uint8Array()] = keys.current
      const expiresAt = new Date(clock.now().getTime() + TRANSACTION_SECONDS * 1000)
      const token = new EncryptJWT({ ...transaction }).setProtectedHeader(HEADER)
      return token.setAudience(AUDIENCE).setExpirationTime(expiresAt).encrypt(newest)
    },
    async open(text) {
      if (text.length > MAXIMUM_LENGTH) return undefined
      const opened = await Promise.all(keys.current.map((key) => decrypted(text, key, clock.now())))
      return opened.find((transaction) => transaction !== undefined)
    },
  }
}

async function decrypted(text: string, key: Uint8Array, currentDate: Date): Promise<Transaction | undefined> {
  try {
    const { payload } = await jwtDecrypt(text, key, {
      audience: AUDIENCE,
      currentDate,
      requiredClaims: ['exp'],
      keyManagementAlgorithms: [HEADER.alg],
      contentEncryptionAlgorithms: [HEADER.enc],
    })
    return z.parse(shape, payload)
  } catch {
    return undefined
  }
}
