import { fail } from '../../errors.ts'
import { type PasskeyStore, shownPasskey } from './passkey.ts'

/** The passkeys of an account, the newest first. @throws ServiceError `UNAVAILABLE` */
export async function listPasskeys(passkeys: Pick<PasskeyStore, 'list'>, uid: string) {
  const found = await passkeys.list(uid)
  const newest = found.toSorted((one, other) => other.createdAt.getTime() - one.createdAt.getTime())
  return { passkeys: newest.map(shownPasskey) }
}

const ID = /^[\da-f]{64}$/

/** @throws ServiceError `PASSKEY_NOT_FOUND` where the account has none of that id, `UNAVAILABLE` */
export async function deletePasskey(passkeys: Pick<PasskeyStore, 'remove'>, uid: string, id: string): Promise<void> {
  if (!(ID.test(id) && (await passkeys.remove(uid, id)))) throw fail('PASSKEY_NOT_FOUND')
}
