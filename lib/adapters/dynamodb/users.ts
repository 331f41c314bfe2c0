import {
  isDatabaseUid,
  isEnabledAdmin,
  type KnownUser,
  type LoginEnds,
  type User,
  type UserAdministration,
  type UserChanges,
  type UserList,
  type UserReader,
  type UserStore,
  userKey,
} from '../../users/user.ts'
import { pagesOf, rowsAt, rowsBy } from './lists.ts'
import { forgetPasskeys } from './passkey-store.ts'
import {
  assignmentsOf,
  type Documents,
  itemAt,
  jitter,
  only,
  type Pause,
  pageOf,
  SHOW_NOTHING,
  type Stored,
  storedOf,
  timeAt,
  timesIn,
  updateIf,
} from './table.ts'
import { transactRecorded, updateRecorded } from './trail.ts'

/** A user as the table holds it. */
export interface UserItem extends Stored<Omit<User, 'id' | 'username' | 'validAfter'>> {
  readonly uid: string
  readonly name: string
  readonly tokensValidAfter?: number | undefined
  /** The key of the index by name: the same for all users, and the key form of the name. */
  readonly listed: string
  readonly nameKey: string
}

/** The marks have the names of their attributes, except this one. */
const marked = ({ validAfter: tokensValidAfter, ...values }: UserChanges) => storedOf({ ...values, tokensValidAfter })

const LISTED = 'user'

/** Makes a name one user's. */
export interface OwnItem {
  /** The id of no account. */
  readonly uid: string
  readonly id: string
}

/** The user's own item is the first. */
export function userItems(user: User): readonly [UserItem, OwnItem] {
  const { id, username: name, validAfter, ...same } = storedOf(user)
  const place = { listed: LISTED, nameKey: userKey(name) ?? '' }
  return [
    { ...same, uid: id, name, tokensValidAfter: validAfter, ...place },
    { uid: nameUid(name), id },
  ]
}

/** The key of the item that keeps a name. */
export function nameUid(username: string): string {
  return `NAME#${userKey(username) ?? ''}`
}

/** The user in an item that was found under an id; undefined for what is none. */
function toUser(item: Record<string, unknown> | undefined): User | undefined {
  if (item?.['enabled'] === undefined) return undefined
  const row = item as unknown as UserItem
  const { uid: id, name: username, passwordHash, roles, enabled, tokensValidAfter } = row
  const marks = { validAfter: timeAt(tokensValidAfter), ...timesIn(row, 'passkeysValidAfter', 'keysValidAfter') }
  return { id, username, passwordHash, roles, enabled, ...timesIn(row, 'createdAt', 'lastLoginAt'), ...marks }
}

/** All but the hash of the password. */
const KNOWN = ['uid', 'name', 'roles', 'enabled', 'createdAt', 'lastLoginAt'] as const
const MARKS = ['tokensValidAfter', 'passkeysValidAfter', 'keysValidAfter'] as const

/** The users table, for all who need no password: their roles may read no hash. */
export function dynamoUserReader(documents: Documents, table: string): UserReader {
  return readerOf(documents, table, [...KNOWN, ...MARKS])
}

function readerOf(documents: Documents, table: string, attributes?: readonly string[]) {
  const findById = async (id: string) =>
    id === '' ? undefined : toUser(await itemAt(documents, table, { uid: id }, attributes))
  return {
    findById,
    async find(username: string) {
      const name = await itemAt(documents, table, { uid: nameUid(username) }, ['id'])
      const user = name && (await findById(String(name['id'])))
      return user && userKey(user.username) === userKey(username) ? user : undefined
    },
  }
}

/** The users table, as a login sees it. */
export function dynamoUserStore(documents: Documents, table: string): UserStore {
  return {
    ...readerOf(documents, table),

    async replacePasswordHash(uid, read, replacement) {
      await updateIf(documents, {
        TableName: table,
        Key: { uid },
        UpdateExpression: 'SET passwordHash = :replacement',
        ConditionExpression: 'passwordHash = :read',
        ExpressionAttributeValues: { ':read': read, ':replacement': replacement },
        ...SHOW_NOTHING,
      })
    },

    async setPassword({ id: uid, validAfter }, changes) {
      const { text, names, values } = assignmentsOf(marked(changes))
      const { kind } = await updateRecorded(documents, {
        TableName: table,
        Key: { uid },
        UpdateExpression: `SET ${text}`,
        ConditionExpression: `attribute_exists(passwordHash) AND ${
          validAfter ? 'tokensValidAfter = :read' : 'attribute_not_exists(tokensValidAfter)'
        }`,
        ExpressionAttributeNames: names,
        ExpressionAttributeValues: { ...values, ':read': validAfter?.getTime() },
        ...SHOW_NOTHING,
      })
      return kind === 'written' ? 'written' : 'moved'
    },

    /** Names no other attribute: a role that may note a login needs no right to passwords. */
    async noteLogin(uid, at) {
      await updateIf(documents, {
        TableName: table,
        Key: { uid },
        UpdateExpression: 'SET lastLoginAt = :at',
        ConditionExpression: 'attribute_exists(uid) AND (attribute_not_exists(lastLoginAt) OR lastLoginAt <= :before)',
        ExpressionAttributeValues: { ':at': at.getTime(), ':before': at.getTime() - NOTED_EVERY_MS },
        ...SHOW_NOTHING,
      })
    },
  }
}

const NOTED_EVERY_MS = 60_000

/** The users table, as a list. A page is as many keys of the index by name as it is long, and the rows of these. */
export function dynamoUserList(documents: Documents, table: string, pause: Pause = jitter): UserList {
  return {
    async page(limit, after) {
      const { items } = await pageOf(documents, {
        TableName: table,
        IndexName: 'byName',
        KeyConditionExpression: after === undefined ? 'listed = :listed' : 'listed = :listed AND nameKey > :after',
        ExpressionAttributeValues: { ':listed': LISTED, ':after': after },
        Limit: limit + 1,
      })
      const found = items.slice(0, limit)
      const keys = found.map(({ uid }) => ({ uid }))
      const rows = rowsBy('uid', await rowsAt(documents, table, keys, pause, only([...KNOWN, ...MARKS])))
      return {
        users: keys.map(({ uid }) => toUser(rows.get(String(uid)))).filter((user) => user !== undefined),
        next: items.length > limit ? String(found.at(-1)?.['nameKey']) : undefined,
      }
    },
  }
}

interface UserTables {
  readonly users: string
  /** Its rows end with those of their users. */
  readonly passkeys: string
}

/** The users table, as those who look after it see it. */
export function dynamoUserAdministration(
  documents: Documents,
  { users: table, passkeys }: UserTables,
  pause: Pause = jitter,
): UserAdministration {
  const { findById } = dynamoUserReader(documents, table)
  const rowOf = ({ id: uid }: KnownUser) => ({ TableName: table, Key: { uid } })

  async function write(remaining: KnownUser | undefined, ...writes: Writes): Promise<'written' | 'moved'> {
    const check = remaining ? [{ ConditionCheck: { ...rowOf(remaining), ...ENABLED_ADMIN } }] : []
    const { kind } = await transactRecorded(documents, [...check, ...writes], pause)
    return kind === 'written' ? 'written' : 'moved'
  }

  async function* indexedAdmins(): AsyncGenerator<string> {
    const query = {
      TableName: table,
      IndexName: 'byName',
      KeyConditionExpression: 'listed = :listed',
      FilterExpression: ENABLED_ADMIN.ConditionExpression,
      ExpressionAttributeNames: ENABLED_ADMIN.ExpressionAttributeNames,
      ExpressionAttributeValues: { ...ENABLED_ADMIN.ExpressionAttributeValues, ':listed': LISTED },
    }
    for await (const items of pagesOf(documents, query)) for (const { uid } of items) yield String(uid)
  }

  return {
    async add(user) {
      const puts = userItems(user).map((item) => ({
        Put: { TableName: table, Item: item, ConditionExpression: 'attribute_not_exists(uid)' },
      }))
      const { kind } = await transactRecorded(documents, puts, pause)
      return kind === 'written' ? 'added' : 'taken'
    },

    findById,

    async findOtherAdmin(id) {
      for await (const uid of indexedAdmins()) {
        // The index may lag.
        const admin = uid === id ? undefined : await findById(uid)
        if (admin && isEnabledAdmin(admin)) return admin
      }
      return undefined
    },

    update: (read, changes, remaining) => write(remaining, { Update: { ...rowOf(read), ...updateOf(read, changes) } }),

    remove: (read, remaining) =>
      write(remaining, { Delete: { ...rowOf(read), ...asRead(read) } }, forgetPasskeys(passkeys, read.id), {
        Delete: { TableName: table, Key: { uid: nameUid(read.username) }, ...isOf(read) },
      }),
  }
}

type Writes = Parameters<typeof transactRecorded>[1]

function updateOf(read: KnownUser, changes: UserChanges) {
  const condition = asRead(read)
  const assigned = assignmentsOf(marked(changes))
  return {
    ...condition,
    UpdateExpression: `SET ${assigned.text}`,
    ExpressionAttributeNames: { ...condition.ExpressionAttributeNames, ...assigned.names },
    ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ...assigned.values },
  }
}

/** Whether another admin must remain depends on these two attributes. */
function asRead({ enabled, roles }: KnownUser) {
  return {
    ConditionExpression: '#enabled = :wasEnabled AND #roles = :hadRoles',
    ExpressionAttributeNames: { '#enabled': 'enabled', '#roles': 'roles' },
    ExpressionAttributeValues: { ':wasEnabled': enabled, ':hadRoles': roles },
  }
}

function isOf({ id }: KnownUser) {
  return { ConditionExpression: 'id = :id', ExpressionAttributeValues: { ':id': id } }
}

const ENABLED_ADMIN = {
  ConditionExpression: 'enabled = :enabled AND contains(#roles, :role)',
  ExpressionAttributeNames: { '#roles': 'roles' },
  ExpressionAttributeValues: { ':enabled': true, ':role': 'ROLE_ADMIN' },
}

/** In the users table: of a user of the database in the user's row, of any other account in a row of its own. */
export function dynamoLoginEnds(documents: Documents, table: string): LoginEnds {
  return {
    async find(uid) {
      const at = (await itemAt(documents, table, { uid }, ['tokensValidAfter']))?.['tokensValidAfter']
      return typeof at === 'number' ? new Date(at) : undefined
    },

    async end(uid, at) {
      const isNoLater = '(attribute_not_exists(tokensValidAfter) OR tokensValidAfter < :at)'
      await updateRecorded(documents, {
        TableName: table,
        Key: { uid },
        UpdateExpression: 'SET tokensValidAfter = :at',
        ConditionExpression: isDatabaseUid(uid) ? `attribute_exists(uid) AND ${isNoLater}` : isNoLater,
        ExpressionAttributeValues: { ':at': at.getTime() },
        ...SHOW_NOTHING,
      })
    },
  }
}
