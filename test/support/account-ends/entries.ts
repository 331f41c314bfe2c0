/** What befalls an account, besides that its owner logs out everywhere. */
export type Change = 'role removed' | 'demoted' | 'password changed' | 'disabled' | 'deleted' | 'name given away'

/** The accounts of a store, which are changed by their names. All are administrators at first. */
export type Entries = Readonly<Record<Change, (name: string) => Promise<void>>>
