import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { PasskeyAttestation } from '../../contract/requests/passkeys.ts'
import { fail, invalid, type ServiceError } from '../../errors.ts'
import type { Log } from '../../runtime/log.ts'
import type { Clock } from '../../runtime/time.ts'
import { actsOn } from '../../trail/act.ts'
import { storeOf } from '../../users/user.ts'
import {
  ALGORITHMS,
  CHALLENGE_SECONDS,
  type ChallengeStore,
  MAXIMUM_PASSKEYS,
  newChallenge,
  type Passkey,
  type PasskeyStore,
  type PasskeyVerifier,
  shownPasskey,
  takeChallenge,
} from './passkey.ts'

interface OptionParts {
  readonly passkeys: PasskeyStore
  readonly challenges: ChallengeStore
  readonly clock: Clock
  readonly baseUrl: URL
}

export interface RegistrationParts extends OptionParts {
  readonly verifier: Pick<PasskeyVerifier, 'register'>
  readonly log: Log
}

/** Whose passkey it will be, and the session that asks for it. */
export interface PasskeyOwner {
  readonly uid: string
  readonly username: string
  readonly sessionKey: string
  readonly loginAt: Date
}

export interface NewPasskey {
  readonly name: string
  readonly credential: PasskeyAttestation
}

/**
 * What a browser needs to make a passkey: `PublicKeyCredentialCreationOptionsJSON`. A session has one challenge, the last.
 * @throws ServiceError `PASSKEYS_ELSEWHERE`, `PASSKEY_LIMIT_REACHED`, `UNAVAILABLE`
 */
export async function registrationOptions(parts: OptionParts, { uid, username, sessionKey }: PasskeyOwner) {
  demandOwnStore(uid)
  const known = await parts.passkeys.list(uid)
  if (known.length >= MAXIMUM_PASSKEYS) throw fail('PASSKEY_LIMIT_REACHED')
  return {
    rp: { id: parts.baseUrl.hostname, name: 'Gatehouse' },
    user: { id: Buffer.from(uid).toString('base64url'), name: username, displayName: username },
    challenge: await newChallenge(parts, keyOf(sessionKey)),
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
    timeout: CHALLENGE_SECONDS * 1000,
    excludeCredentials: known.map(({ credentialId: id }) => ({ type: 'public-key', id })),
    authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
    attestation: 'none',
  }
}

/**
 * Keeps a passkey that answers the challenge of the session.
 * @throws ServiceError `VALIDATION_FAILED` for a credential that does not, `PASSKEYS_ELSEWHERE`, `PASSKEY_LIMIT_REACHED`,
 * `UNAVAILABLE`
 */
export async function registerPasskey(parts: RegistrationParts, owner: PasskeyOwner, { name, credential }: NewPasskey) {
  actsOn({ type: 'passkey', name })
  demandOwnStore(owner.uid)
  const challenge = await takeChallenge(parts, keyOf(owner.sessionKey))
  if (challenge === undefined) throw refused('must answer options that the session asked for in the last 5 minutes')
  const judged = await parts.verifier.register(credential, challenge)
  if ('refusal' in judged) {
    parts.log.info('passkey refused', { reason: judged.refusal })
    throw refused('must answer the last options of the session, on a page of this service')
  }
  const id = createHash('sha256').update(judged.credentialId).digest('hex')
  const passkey: Passkey = { ...judged, id, name, createdAt: parts.clock.now(), loginAt: owner.loginAt }
  actsOn({ type: 'passkey', id, name })
  const outcome = await parts.passkeys.add(owner.uid, passkey, MAXIMUM_PASSKEYS)
  if (outcome === 'full') throw fail('PASSKEY_LIMIT_REACHED')
  if (outcome === 'taken') throw refused('must be a passkey that the account does not have')
  const { lastUsedAt: _, ...shown } = shownPasskey(passkey)
  return shown
}

function keyOf(sessionKey: string): string {
  return `registration#${sessionKey}`
}

/** Refuses an account at a provider: this service does not know whether it still exists. */
function demandOwnStore(uid: string): void {
  if (storeOf(uid) === 'provider') throw fail('PASSKEYS_ELSEWHERE')
}

function refused(message: string): ServiceError {
  return invalid([{ path: ['credential'], message }])
}
