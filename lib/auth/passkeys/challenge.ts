import { randomBytes } from 'node:crypto'
import type { Clock } from '../../runtime/clock.ts'

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
