import { randomBytes } from 'node:crypto'
import type { PasskeyAssertion, PasskeyAttestation } from '../../contract/requests/passkeys.ts'
import { fail } from '../../errors.ts'
import type { Clock } from '../../runtime/time.ts'
import { actsOn } from '../../trail/act.ts'

/** The public half of a passkey. Binary values are texts in base64url. */
export interface Passkey {
  /** SHA-256, in hex, of the credential id, which may be too long for an address. */
  readonly id: string
  readonly credentialId: string
  readonly name: string
  /** A COSE key (RFC 9052 section 7). */
  readonly publicKey: string
  /** The last signature counter of the authenticator; 0 where it does not count. */
  readonly signCount: number
  readonly createdAt: Date
  /** The login of the session that made it. */
  readonly loginAt: Date
  readonly lastUsedAt?: Date | undefined
}

/** The passkeys of accounts, by the id of the account. All methods throw ServiceError `UNAVAILABLE`. */
export interface PasskeyStore {
  /** In no order. */
  list(uid: string): Promise<readonly Passkey[]>
  /** Adds a passkey unless the account has it (`taken`) or has `maximum` of them (`full`). */
  add(uid: string, passkey: Passkey, maximum: number): Promise<'added' | 'taken' | 'full'>
  /**
   * Records a login. False, and nothing written, if the passkey is deleted or its counter is not below `signCount`,
   * unless both are 0.
   */
  noteUse(uid: string, id: string, signCount: number, at: Date): Promise<boolean>
  /** @returns whether there was one */
  remove(uid: string, id: string): Promise<boolean>
  removeAll(uid: string): Promise<void>
}

/** The most passkeys of one account. */
export const MAXIMUM_PASSKEYS = 10

/** A passkey as its owner sees it. */
export function shownPasskey({ id, name, createdAt, lastUsedAt }: Passkey) {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}

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

/** The text that an authenticator must sign, stored until the answer. */
export interface PasskeyChallenge {
  /** Names the session or the browser that it is for. */
  readonly key: string
  readonly text: string
  readonly expiresAt: Date
}

/** All methods throw ServiceError `UNAVAILABLE`. */
export interface ChallengeStore {
  /** Replaces a challenge with the same key. */
  put(challenge: PasskeyChallenge): Promise<void>
  /** Removes a challenge; of all who ask for it, one gets it. */
  take(key: string): Promise<PasskeyChallenge | undefined>
}

interface ChallengeParts {
  readonly challenges: ChallengeStore
  readonly clock: Clock
}

/** How long a challenge may be answered, in seconds. */
export const CHALLENGE_SECONDS = 300

const BYTES = 32

/** @returns 32 random bytes in base64url. @throws ServiceError `UNAVAILABLE` */
export async function newChallenge({ challenges, clock }: ChallengeParts, key: string): Promise<string> {
  const text = randomText()
  await challenges.put({ key, text, expiresAt: new Date(clock.now().getTime() + CHALLENGE_SECONDS * 1000) })
  return text
}

/** The challenge, which is spent; undefined for one that is spent or expired. @throws ServiceError `UNAVAILABLE` */
export async function takeChallenge({ challenges, clock }: ChallengeParts, key: string): Promise<string | undefined> {
  const challenge = await challenges.take(key)
  return challenge && challenge.expiresAt > clock.now() ? challenge.text : undefined
}

export function randomText(): string {
  return randomBytes(BYTES).toString('base64url')
}

/** The passkeys of an account, the newest first. @throws ServiceError `UNAVAILABLE` */
export async function listPasskeys(passkeys: Pick<PasskeyStore, 'list'>, uid: string) {
  const found = await passkeys.list(uid)
  const newest = found.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
  return { passkeys: newest.map(shownPasskey) }
}

const ID = /^[\da-f]{64}$/

/** @throws ServiceError `PASSKEY_NOT_FOUND` where the account has none of that id, `UNAVAILABLE` */
export async function deletePasskey(
  passkeys: Pick<PasskeyStore, 'list' | 'remove'>,
  uid: string,
  id: string,
): Promise<void> {
  const known = ID.test(id) ? (await passkeys.list(uid)).find((one) => one.id === id) : undefined
  if (!known) throw fail('PASSKEY_NOT_FOUND')
  actsOn({ type: 'passkey', id, name: known.name })
  if (!(await passkeys.remove(uid, id))) throw fail('PASSKEY_NOT_FOUND')
}
