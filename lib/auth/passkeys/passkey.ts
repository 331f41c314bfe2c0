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
}

/** The most passkeys of one account. */
export const MAXIMUM_PASSKEYS = 10

/** A passkey as its owner sees it. */
export function shownPasskey({ id, name, createdAt, lastUsedAt }: Passkey) {
  return { id, name, createdAt: createdAt.toISOString(), lastUsedAt: lastUsedAt?.toISOString() ?? null }
}
