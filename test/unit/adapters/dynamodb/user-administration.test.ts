import { TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import { describe, expect, it } from 'vitest'
import type { Documents } from '../../../../lib/adapters/dynamodb/client.ts'
import { dynamoUserAdministration } from '../../../../lib/adapters/dynamodb/user-administration.ts'
import type { User, UserAdministration } from '../../../../lib/users/user.ts'
import { START } from '../../../support/fakes/clock.ts'

const ADMIN: User = {
  id: 'a',
  username: 'ada',
  passwordHash: 'h',
  roles: ['ROLE_ADMIN'],
  enabled: true,
  createdAt: START,
}
const OTHER: User = { ...ADMIN, id: 'b', username: 'bea' }

interface Write {
  readonly Key?: { readonly uid?: string }
  readonly ConditionExpression?: string
}

/** A table in which no condition on the row of `lost` holds any more: that user was changed after it was read. */
function tableWithout(lost: User): UserAdministration {
  const documents = {
    async send({ input }: { readonly input: { readonly TransactItems: readonly Record<string, Write>[] } }) {
      const writes = input.TransactItems.flatMap((item) => Object.values(item))
      const isRefused = ({ Key, ConditionExpression }: Write) =>
        ConditionExpression !== undefined && Key?.uid === lost.id
      if (!writes.some(isRefused)) return {}
      const reasons = writes.map((one) => ({ Code: isRefused(one) ? 'ConditionalCheckFailed' : 'None' }))
      throw new TransactionCanceledException({ $metadata: {}, message: 'refused', CancellationReasons: reasons })
    },
  } as unknown as Documents
  return dynamoUserAdministration(documents, { users: 'users', passkeys: 'passkeys' })
}

type Order = (users: UserAdministration, remaining?: User) => Promise<'written' | 'moved'>

describe.each<[string, Order]>([
  ['the removal of an admin', (users, remaining) => users.remove(ADMIN, remaining)],
  ['the demotion of an admin', (users, remaining) => users.update(ADMIN, { roles: ['ROLE_USER'] }, START, remaining)],
  ['the end of an admin', (users, remaining) => users.update(ADMIN, { enabled: false }, START, remaining)],
])('%s', (_, order) => {
  it('B23, B30 is not written if the admin who must remain was lost in the meantime', async () => {
    expect(await order(tableWithout(OTHER), OTHER)).toBe('moved')
  })

  it('is not written if the admin was changed since it was read', async () => {
    expect(await order(tableWithout(ADMIN), OTHER)).toBe('moved')
  })

  it('is written as long as the other one remains, whatever becomes of a third', async () => {
    expect(await order(tableWithout({ ...OTHER, id: 'c' }), OTHER)).toBe('written')
  })

  it('looks at no other user where nobody must remain', async () => {
    expect(await order(tableWithout(OTHER))).toBe('written')
  })
})
