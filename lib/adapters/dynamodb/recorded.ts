import {
  type DeleteCommandInput,
  GetCommand,
  type PutCommandInput,
  type TransactWriteCommandInput,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { unavailable } from '../../errors.ts'
import { actToStore } from '../../trail/act.ts'
import { type Documents, request } from './client.ts'
import {
  type ConditionFailed,
  jitter,
  type Pause,
  putIf,
  removeIf,
  SHOW_OLD,
  transact,
  updateIf,
  type Written,
} from './conditional.ts'
import { trailPut } from './trail-store.ts'

type Writes = NonNullable<TransactWriteCommandInput['TransactItems']>

/** As {@link transact}, together with the row of the action under way: both, or none. */
export async function transactRecorded(
  documents: Documents,
  writes: Writes,
  pause: Pause,
): Promise<Written | ConditionFailed> {
  const act = actToStore()
  if (act === undefined) return transact(documents, writes, pause)
  const result = await transact(documents, [...writes, { Put: trailPut(act.table, act.row) }], pause)
  if (result.kind === 'written') act.isStored = true
  else if (result.index === writes.length) throw unavailable(new Error('the action has a row already'))
  return result
}

/** As {@link putIf}, together with the row of the action under way. */
export async function putRecorded(documents: Documents, put: PutCommandInput, pause: Pause = jitter) {
  if (actToStore() === undefined) return putIf(documents, put)
  return transactRecorded(documents, [{ Put: { ...put, ...SHOW_OLD } }], pause)
}

/** As {@link updateIf}, together with the row of the action under way. The new item is then read: a transaction shows none. */
export async function updateRecorded(documents: Documents, update: UpdateCommandInput, pause: Pause = jitter) {
  if (actToStore() === undefined) return updateIf(documents, update)
  const { ReturnValues, UpdateExpression = '', ...rest } = update
  const result = await transactRecorded(documents, [{ Update: { ...SHOW_OLD, ...rest, UpdateExpression } }], pause)
  if (result.kind === 'refused' || ReturnValues === 'NONE') return result
  const get = new GetCommand({ TableName: update.TableName, Key: update.Key, ConsistentRead: true })
  return { ...result, item: (await request(() => documents.send(get))).Item ?? {} }
}

/** As {@link removeIf}, together with the row of the action under way: whether the row was removed. */
export async function removeRecorded(documents: Documents, removal: DeleteCommandInput, pause: Pause = jitter) {
  if (actToStore() === undefined) return (await removeIf(documents, removal)) !== undefined
  return (await transactRecorded(documents, [{ Delete: removal }], pause)).kind === 'written'
}
