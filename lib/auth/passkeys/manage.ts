import { fail } from '../../errors.ts'
import { actsOn } from '../../trail/act.ts'
import { type PasskeyStore, shownPasskey } from './passkey.ts'

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
