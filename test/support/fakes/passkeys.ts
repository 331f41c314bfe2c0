import type { ChallengeStore, Passkey, PasskeyChallenge, PasskeyStore } from '../../../lib/auth/passkeys/passkey.ts'

/** Passkeys in memory. */
export class MemoryPasskeys implements PasskeyStore {
  readonly kept = new Map<string, Passkey[]>()

  async list(uid: string): Promise<readonly Passkey[]> {
    return this.kept.get(uid) ?? []
  }

  async add(uid: string, passkey: Passkey, maximum: number): Promise<'added' | 'taken' | 'full'> {
    const known = this.kept.get(uid) ?? []
    if (known.some(({ id }) => id === passkey.id)) return 'taken'
    if (known.length >= maximum) return 'full'
    this.kept.set(uid, [...known, passkey])
    return 'added'
  }

  async noteUse(uid: string, id: string, signCount: number, at: Date): Promise<boolean> {
    const known = this.kept.get(uid) ?? []
    const used = known.find((one) => one.id === id)
    if (!used || (signCount === 0 ? used.signCount !== 0 : used.signCount >= signCount)) return false
    const noted = { ...used, signCount, lastUsedAt: at }
    this.kept.set(
      uid,
      known.map((one) => (one === used ? noted : one)),
    )
    return true
  }

  async remove(uid: string, id: string): Promise<boolean> {
    const known = this.kept.get(uid) ?? []
    const rest = known.filter((one) => one.id !== id)
    this.kept.set(uid, rest)
    return rest.length < known.length
  }

  async removeAll(uid: string): Promise<void> {
    this.kept.delete(uid)
  }
}

/** Challenges in memory; nothing clears away what is over, as the table may not for a while. */
export class MemoryChallenges implements ChallengeStore {
  readonly kept = new Map<string, PasskeyChallenge>()

  async put(challenge: PasskeyChallenge): Promise<void> {
    this.kept.set(challenge.key, challenge)
  }

  async take(key: string): Promise<PasskeyChallenge | undefined> {
    const challenge = this.kept.get(key)
    this.kept.delete(key)
    return challenge
  }
}
