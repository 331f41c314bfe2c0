import { Buffer } from 'node:buffer'
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { ALGORITHMS, type PasskeyRefusal, type PasskeyVerifier } from '../../auth/passkeys/passkey.ts'

/** Judges passkeys of the host of the service. */
export function webauthnVerifier({ origin, hostname }: URL): PasskeyVerifier {
  const expected = { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true }

  return {
    register: (credential, expectedChallenge) =>
      judged(async () => {
        const response = { ...credential, clientExtensionResults: {} }
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          ...expected,
          response,
          expectedChallenge,
          supportedAlgorithmIDs: ALGORITHMS,
        })
        if (!verified) return undefined
        const { id, publicKey, counter } = registrationInfo.credential
        return { credentialId: id, publicKey: Buffer.from(publicKey).toString('base64url'), signCount: counter }
      }),

    logIn: (credential, expectedChallenge, { credentialId, publicKey, signCount }) =>
      judged(async () => {
        const response = { ...credential, clientExtensionResults: {} }
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          ...expected,
          response,
          expectedChallenge,
          credential: { id: credentialId, publicKey: Buffer.from(publicKey, 'base64url'), counter: signCount },
        })
        return verified ? { signCount: authenticationInfo.newCounter } : undefined
      }),
  }
}

/** The library throws for whatever it refuses, and says no only to a signature. */
async function judged<T>(judge: () => Promise<T | undefined>): Promise<T | PasskeyRefusal> {
  try {
    return (await judge()) ?? { refusal: 'The signature does not match' }
  } catch (error) {
    return { refusal: error instanceof Error ? withoutQuotes(error.message) : 'Unknown' }
  }
}

/** Its messages quote challenges, and texts that strangers chose. */
function withoutQuotes(message: string): string {
  return message
    .split('"')
    .filter((_, index) => index % 2 === 0)
    .join('…')
}
