import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import type { Passkey, PasskeyStore } from '../../auth/passkeys/passkey.ts'
import { type Documents, itemAt, request, SHOW_NOTHING, type Stored, storedOf, timesIn, updateIf } from './table.ts'
import { updateRecorded } from './trail.ts'

/** One attribute of the row of an account. */
type PasskeyItem = Stored<Omit<Passkey, 'id'>>

const PREFIX = 'passkey-'

const attributeOf = (id: string) => ({ '#passkey': `${PREFIX}${id}` })

/** The passkeys table: a row for each account, with an attribute for each passkey and their number. */
export function dynamoPasskeyStore(documents: Documents, table: string): PasskeyStore {
  const rowOf = (uid: string) => ({ TableName: table, Key: { uid } })

  return {
    async list(uid) {
      const item = (await itemAt(documents, table, { uid })) ?? {}
      return Object.entries(item).flatMap(([name, value]) =>
        name.startsWith(PREFIX) ? [passkeyOf(name.slice(PREFIX.length), value as PasskeyItem)] : [],
      )
    },

    async add(uid, { id, lastUsedAt: _, ...passkey }, maximum) {
      const outcome = await updateRecorded(documents, {
        ...rowOf(uid),
        UpdateExpression: 'SET #passkey = :passkey ADD passkeyCount :one',
        ConditionExpression:
          'attribute_not_exists(#passkey) AND (attribute_not_exists(passkeyCount) OR passkeyCount < :maximum)',
        ExpressionAttributeNames: attributeOf(id),
        ExpressionAttributeValues: { ':passkey': storedOf(passkey), ':one': 1, ':maximum': maximum },
        ReturnValues: 'NONE',
      })
      if (outcome.kind === 'written') return 'added'
      return Object.hasOwn(outcome.item ?? {}, `${PREFIX}${id}`) ? 'taken' : 'full'
    },

    async noteUse(uid, id, signCount, at) {
      const isLower = signCount === 0 ? '#passkey.signCount = :count' : '#passkey.signCount < :count'
      const { kind } = await updateIf(documents, {
        ...rowOf(uid),
        UpdateExpression: 'SET #passkey.signCount = :count, #passkey.lastUsedAt = :at',
        ConditionExpression: isLower,
        ExpressionAttributeNames: attributeOf(id),
        ExpressionAttributeValues: { ':count': signCount, ':at': at.getTime() },
        ...SHOW_NOTHING,
      })
      return kind === 'written'
    },

    async remove(uid, id) {
      const { kind } = await updateRecorded(documents, {
        ...rowOf(uid),
        UpdateExpression: 'REMOVE #passkey ADD passkeyCount :minusOne',
        ConditionExpression: 'attribute_exists(#passkey)',
        ExpressionAttributeNames: attributeOf(id),
        ExpressionAttributeValues: { ':minusOne': -1 },
        ...SHOW_NOTHING,
      })
      return kind === 'written'
    },

    async removeAll(uid) {
      await request(() => documents.send(new DeleteCommand(forgetPasskeys(table, uid).Delete)))
    },
  }
}

/** The write that deletes all passkeys of an account, for the transaction that deletes its user. */
export function forgetPasskeys(table: string, uid: string) {
  return { Delete: { TableName: table, Key: { uid } } }
}

function passkeyOf(id: string, kept: PasskeyItem): Passkey {
  return { id, ...kept, ...timesIn(kept, 'createdAt', 'loginAt', 'lastUsedAt') }
}
