import type { PasskeyAssertion, PasskeyAttestation } from '../../contract/requests/passkeys.ts'
import type { Passkey } from './passkey.ts'

/** Verifies what authenticators sign (Web Authentication sections 7.1 and 7.2). */
export interface PasskeyVerifier {
  /** @returns why the credential is refused, for the log, or what the store keeps of it */
  register(credential: PasskeyAttestation, challenge: string): Promise<PasskeyRefusal | NewCredential>
  /** @returns why the login is refused, for the log, or the new signature counter */
  logIn(credential: PasskeyAssertion, challenge: string, passkey: Passkey): Promise<PasskeyRefusal | SignCount>
}

export type NewCredential = Pick<Passkey, 'credentialId' | 'publicKey' | 'signCount'>
export type SignCount = Pick<Passkey, 'signCount'>

export interface PasskeyRefusal {
  /** The part without a challenge. */
  readonly refusal: string
}

/** COSE algorithms of keys that are accepted: EdDSA, ES256, RS256 (IANA, "COSE Algorithms"). */
export const ALGORITHMS = [-8, -7, -257]
