import { Buffer } from 'node:buffer'
import { randomBytes } from 'node:crypto'
import {
  type Client,
  type Entry,
  EqualityFilter,
  OrFilter,
  PresenceFilter,
  ResultCodeError,
  type SearchOptions,
} from 'ldapts'
import type { Directory, DirectoryAccount, DirectoryUser } from '../../auth/directory.ts'
import { unavailable } from '../../errors.ts'
import type { Current } from '../../runtime/secrets.ts'
import type { Role } from '../../users/role.ts'
import { userKey } from '../../users/user.ts'
import { dnKey } from './dn.ts'
import { type Connect, converse, type DirectoryServer } from './socket.ts'

export interface LdapOptions extends DirectoryServer {
  /** The service account that searches the directory. */
  readonly service: Current<{ readonly dn: string; readonly password: string }>
  /** Users and groups are looked for below it, at any depth. */
  readonly base: string
  /** By the lower-case name of the group. */
  readonly groupRoles: ReadonlyMap<string, Role>
}

const NAME = 'uid'
const ID = 'entryUUID'
/** draft-behera-ldap-password-policy, and RFC 4512 section 3.4. */
const CHANGES = ['pwdChangedTime', 'modifyTimestamp']
/**
 * The attributes by which an administrator locks an account: section 5.3.3 of that draft, and the attribute of 389
 * Directory Server. The other times of section 5.3.3 result from failed guesses, which must not end the owner's open
 * sessions.
 */
const LOCKS: Readonly<Record<string, string>> = { pwdAccountLockedTime: '000001010000Z', nsAccountLock: 'true' }
const GROUP_NAME = 'cn'
const MEMBERS = ['member', 'uniqueMember']

/**
 * The results of a bind that refuse this account: wrong password (49), and with some servers locked or expired (19,
 * 53), no password (48), just deleted (32). To a caller all of these are bad credentials. Any other code is an error of
 * the directory or of this service.
 */
const REFUSALS: readonly number[] = [49, 19, 32, 48, 53]

/** Users of an LDAP directory. */
export function ldapDirectory(options: LdapOptions): Directory {
  return {
    async check(username, password) {
      // An empty password would be an anonymous bind, which succeeds (RFC 4513 section 5.1.2).
      if (isVoid(password) || isVoid(username) || userKey(username) === undefined) return undefined
      return converse(options, async (connect) => {
        const service = await asService(connect, options)
        const person = await findPerson(service, options, username)
        const isTheirs = await tryPassword(await connect(), person?.dn ?? nobodyOf(options), person && password)
        return isTheirs ? person && toAccount(service, options, person) : undefined
      })
    },

    async find(username) {
      if (isVoid(username) || userKey(username) === undefined) return undefined
      return converse(options, async (connect) => {
        const service = await asService(connect, options)
        const person = await findPerson(service, options, username)
        return person && toAccount(service, options, person)
      })
    },

    async findById(id) {
      if (isVoid(id)) return undefined
      return converse(options, async (connect) => {
        const service = await asService(connect, options)
        const [entry, ...others] = await entriesWith(service, options, ID, id)
        const person = others.length === 0 ? personIn(entry) : undefined
        return person && toAccount(service, options, person)
      })
    },

    list: (limit) =>
      converse(options, async (connect) => {
        const service = await asService(connect, options)
        return (await listUsers(service, options, limit)).sort(byName)
      }),
  }
}

interface Person extends Omit<DirectoryAccount, 'roles'> {
  readonly dn: string
}

/** Nothing but blanks; or with a NUL, which a server written in C may take for the end of the text. */
function isVoid(text: string): boolean {
  return text.trim() === '' || text.includes('\0')
}

async function asService(connect: Connect, { service }: LdapOptions): Promise<Client> {
  const client = await connect()
  const { dn, password } = service.current
  await client.bind(dn, password)
  return client
}

/**
 * The one entry of that name; undefined if there are two. A directory may also match names that differ in blanks or
 * only look alike. Those are refused: otherwise one account would have many names by which failed logins are counted.
 */
async function findPerson(service: Client, options: LdapOptions, username: string): Promise<Person | undefined> {
  const [entry, ...others] = await entriesWith(service, options, NAME, username)
  return others.length === 0 ? personIn(entry, username) : undefined
}

/** At most two: one more than is allowed. */
async function entriesWith(service: Client, { base }: LdapOptions, attribute: string, value: string) {
  const filter = new EqualityFilter({ attribute, value })
  const attributes = [NAME, ID, ...CHANGES, ...Object.keys(LOCKS)]
  return (await service.search(base, { scope: 'sub', filter, attributes, sizeLimit: 2 })).searchEntries
}

/** @param wanted the name that it must have; any if absent */
function personIn(entry: Entry | undefined, wanted?: string): Person | undefined {
  const names = entry ? valuesOf(entry, NAME) : []
  const username = names.find((name) => wanted === undefined || userKey(name) === userKey(wanted))
  if (!entry || username === undefined) return undefined
  const [id] = valuesOf(entry, ID)
  if (id === undefined) throw unavailable(new Error('the directory shows no entryUUID'))
  return { dn: entry.dn, username, id, changedAt: changeOf(entry), ...(isLocked(entry) && { isDisabled: true }) }
}

function isLocked(entry: Entry): boolean {
  return Object.entries(LOCKS).some(([attribute, value]) =>
    valuesOf(entry, attribute).some((given) => given.toLowerCase() === value.toLowerCase()),
  )
}

/** The first time that the entry has; undefined if the directory shows us none. */
function changeOf(entry: Entry): Date | undefined {
  const [time] = CHANGES.flatMap((attribute) => valuesOf(entry, attribute))
  return time === undefined ? undefined : generalizedTime(time)
}

/** @param password undefined for a password that cannot be right */
async function tryPassword(client: Client, dn: string, password = randomBytes(24).toString('base64')) {
  try {
    await client.bind(dn, password)
    return true
  } catch (error) {
    if (error instanceof ResultCodeError && REFUSALS.includes(error.code)) return false
    throw error
  }
}

/**
 * Tried in place of an unknown user, so that the check takes as long; never the service's own name: it could be locked.
 */
function nobodyOf({ base }: LdapOptions): string {
  return `cn=gatehouse-unknown-user,${base}`
}

async function toAccount(service: Client, options: LdapOptions, person: Person): Promise<DirectoryAccount> {
  const { dn, ...account } = person
  const filters = MEMBERS.map((attribute) => new EqualityFilter({ attribute, value: dn }))
  const filter = new OrFilter({ filters })
  const { searchEntries } = await service.search(options.base, { scope: 'sub', filter, attributes: [GROUP_NAME] })
  return { ...account, roles: rolesOf(searchEntries, options) }
}

async function listUsers(service: Client, options: LdapOptions, limit: number): Promise<DirectoryUser[]> {
  const filter = new PresenceFilter({ attribute: NAME })
  const search = { scope: 'sub', filter, attributes: [NAME], sizeLimit: limit } satisfies SearchOptions
  const { searchEntries } = await service.search(options.base, search)
  const groups = await groupsByMember(service, options)
  const users = searchEntries.slice(0, limit).flatMap((entry) => {
    const [username] = valuesOf(entry, NAME)
    return username === undefined ? [] : [{ username, roles: rolesOf(groups.get(dnKey(entry.dn)) ?? [], options) }]
  })
  const namesakes = Map.groupBy(users, ({ username }) => userKey(username))
  return users.filter(({ username }) => namesakes.get(userKey(username))?.length === 1)
}

async function groupsByMember(service: Client, { base, groupRoles }: LdapOptions): Promise<Map<string, Entry[]>> {
  const filters = [...groupRoles.keys()].map((value) => new EqualityFilter({ attribute: GROUP_NAME, value }))
  if (filters.length === 0) return new Map()
  const filter = new OrFilter({ filters })
  const attributes = [GROUP_NAME, ...MEMBERS]
  const { searchEntries } = await service.search(base, { scope: 'sub', filter, attributes })
  const groups = new Map<string, Entry[]>()
  for (const group of searchEntries) {
    for (const member of MEMBERS.flatMap((attribute) => valuesOf(group, attribute))) {
      const key = dnKey(member)
      groups.set(key, [...(groups.get(key) ?? []), group])
    }
  }
  return groups
}

/** Only mapped groups give a role. The place of a group in the tree does not matter, and nested groups do not count. */
function rolesOf(groups: readonly Entry[], { groupRoles }: LdapOptions): readonly Role[] {
  const names = groups.flatMap((group) => valuesOf(group, GROUP_NAME))
  const roles = names.map((name) => groupRoles.get(name.toLowerCase())).filter((role) => role !== undefined)
  return [...new Set(roles)].sort()
}

/** A server chooses the case of attribute names, and ldapts adds an empty one for each that is missing. */
function valuesOf(entry: Entry, attribute: string): readonly string[] {
  const same = Object.keys(entry).filter((name) => name.toLowerCase() === attribute.toLowerCase())
  return same.flatMap((name) => entry[name] ?? []).map((value) => (Buffer.isBuffer(value) ? value.toString() : value))
}

function byName(one: DirectoryUser, other: DirectoryUser): number {
  return one.username < other.username ? -1 : 1
}

const FORM = /^(\d{4})(\d\d)(\d\d)(\d\d)(?:(\d\d)(?:(\d\d))?)?(?:[.,](\d{1,9}))?(?:Z|([+-]\d\d)(\d\d)?)$/

/** A time as directories write it (RFC 4517 section 3.3.13): `20261123200000Z`; undefined for what is none. */
export function generalizedTime(text: string): Date | undefined {
  const parts = FORM.exec(text)
  if (!parts) return undefined
  const [, year, month, day, hour, minute, second, fraction = '', offsetHours = '+00', offsetMinutes = '00'] = parts
  const unit = second !== undefined ? 1000 : minute !== undefined ? 60_000 : 3_600_000
  const start = `${year}-${month}-${day}T${hour}:${minute ?? '00'}:${second ?? '00'}.000${offsetHours}:${offsetMinutes}`
  const milliseconds = Date.parse(start) + Math.floor(Number(`0.${fraction}0`) * unit)
  return Number.isNaN(milliseconds) ? undefined : new Date(milliseconds)
}
