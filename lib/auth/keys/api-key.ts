/** A key that lets a machine read events, as it is kept: of its secret only the hash. */
export interface ApiKey {
  readonly id: string
  readonly name: string
  /** The sources whose events it reads; all if absent. */
  readonly sources?: readonly string[] | undefined
  /** SHA-256, base64url. */
  readonly secretHash: string
  readonly createdAt: Date
  /** The admin's name. */
  readonly createdBy: string
  /** It counts until just before. */
  readonly expiresAt: Date
  readonly lastUsedAt?: Date | undefined
}

/** What the check of keys asks of the table. */
export interface KeyReader {
  /** @throws ServiceError `UNAVAILABLE` */
  find(id: string): Promise<ApiKey | undefined>
  /**
   * Records the use of a key; does nothing if a use after `before` is recorded, or if the key is deleted.
   * @throws ServiceError `UNAVAILABLE`
   */
  noteUse(id: string, at: Date, before: Date): Promise<void>
}

/** What admins ask of the table. All methods throw ServiceError `UNAVAILABLE`. */
export interface KeyAdministration {
  /** @throws Error for an id that is taken */
  add(key: ApiKey): Promise<void>
  /** So many keys at most, newest first. @param after the id of the last key of the page before */
  list(limit: number, after: string | undefined): Promise<readonly ApiKey[]>
  find(id: string): Promise<ApiKey | undefined>
  /** @returns whether there was one */
  remove(id: string): Promise<boolean>
}
