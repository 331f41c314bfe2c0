import { randomBytes } from 'node:crypto'
import {
  AndFilter,
  type Client,
  type Entry,
  EqualityFilter,
  type Filter,
  PresenceFilter,
  ResultCodeError,
} from 'ldapts'
import type { Directory, DirectoryAccount, DirectoryList } from '../../auth/directory.ts'
import { ConfigError } from '../../runtime/config.ts'
import { boundedName, boundedPassword, nfc, saslPrepared } from '../../runtime/text.ts'
import { userKey } from '../../users/user.ts'
import { dnKey } from './dn.ts'
import { CHANGES, changeOf, idOf, idValues, valuesOf } from './entry.ts'
import { groupAttributes, groupsAtOnce, hasGroups, rolesOfUser } from './groups.ts'
import { anyOf, filterFor, type LdapOptions, PAGE, type Searching, search, searchOptions } from './search.ts'
import { type Connect, converse } from './socket.ts'

/**
 * The results of a bind that refuse this account: wrong password (49), and with some servers locked or expired (19,
 * 53), no password (48), just deleted (32). To a caller all of these are bad credentials. Any other code is an error of
 * the directory or of this service.
 */
const REFUSALS: readonly number[] = [49, 19, 32, 48, 53]

/** Users of an LDAP directory. */
export function ldapDirectory(options: LdapOptions): Directory {
  /** Whether a user was seen. A directory that shows no user must not answer that a name is unknown. */
  let isProven = false

  async function proven(at: Searching, person: Person | undefined): Promise<Person | undefined> {
    if (!person && !isProven) await demandUsers(at)
    isProven = true
    return person
  }

  const talk = <T>(ask: (at: Searching, connect: Connect) => Promise<T>) =>
    converse(options, async (connect) => {
      try {
        return await ask({ ...options, client: await asService(connect, options) }, connect)
      } catch (error) {
        throw explained(error)
      }
    })

  const accountOf = (look: (at: Searching) => Promise<Person | undefined>) =>
    talk(async (at) => {
      const person = await proven(at, await look(at))
      return person && toAccount(at, person)
    })

  return {
    async check(username, password) {
      const [name, spellings] = [nameOf(username), spellingsOf(password)]
      if (name === undefined || spellings.length === 0) return undefined
      return talk(async (at, connect) => {
        const person = await proven(at, await findPerson(at, name))
        const dn = person?.entry.dn ?? nobodyOf(options)
        const isTheirs = await tryPassword(await connect(), dn, person ? spellings : spellings.map(unguessable))
        const account = isTheirs && person && (await toAccount(at, person))
        return account && !account.isDisabled ? account : undefined
      })
    },

    async find(username) {
      const name = nameOf(username)
      return name === undefined ? undefined : accountOf((at) => findPerson(at, name))
    },

    async findById(id) {
      const filter = anyOf(options.schema.id, idValues(id, options.schema.id))
      return isVoid(id) ? undefined : accountOf(async (at) => personIn(at, await userWith(at, filter)))
    },

    list: (limit) => talk((at) => listUsers(at, limit)),

    probe: () =>
      talk(async (at) => {
        await demandUsers(at)
        if (!(await hasGroups(at)))
          throw misfit('LDAP_GROUP_ROLES: no group below LDAP_BASE has one of its names and shows members')
      }),
  }
}

interface Person extends Omit<DirectoryAccount, 'roles'> {
  readonly entry: Entry
}

/** Nothing but blanks; or with a NUL, which a server written in C may take for the end of the text. */
function isVoid(text: string): boolean {
  return text.trim() === '' || text.includes('\0')
}

/** Undefined for what cannot be a name. */
function nameOf(username: string): string | undefined {
  const name = isVoid(username) ? undefined : boundedName(username)
  return name && nfc(name)
}

/**
 * A password as RFC 4511 section 4.2 prepares it, then composed only, because some directories do not prepare what they
 * store. Never an empty one: that would be an anonymous bind, which succeeds (RFC 4513 section 5.1.2).
 */
function spellingsOf(password: string): readonly string[] {
  const given = boundedPassword(password)
  return given === undefined ? [] : [...new Set([saslPrepared(given), nfc(given)])].filter((each) => !isVoid(each))
}

const unguessable = () => randomBytes(24).toString('base64')

async function asService(connect: Connect, { service }: LdapOptions): Promise<Client> {
  const client = await connect()
  const { dn, password } = service.current
  if (await bind(client, dn, password)) return client
  throw misfit('LDAP_BIND_DN: the directory refuses it with LDAP_BIND_PASSWORD')
}

async function tryPassword(client: Client, dn: string, spellings: readonly string[]): Promise<boolean> {
  for (const spelling of spellings) if (await bind(client, dn, spelling)) return true
  return false
}

async function bind(client: Client, dn: string, password: string): Promise<boolean> {
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

const CLASS = 'objectClass'

/** In Active Directory, groups and machines have login names, too. */
function isUser(entry: Entry): boolean {
  return !valuesOf(entry, CLASS).some((name) => /^(?:group|computer)$/i.test(name))
}

/** @throws ConfigError if the directory shows us no users, or no ids of them */
async function demandUsers(at: Searching): Promise<void> {
  const { user, id } = at.schema
  const filter = new PresenceFilter({ attribute: user })
  const { entries, isWhole } = await search(at, filter, [user, id, CLASS], { wanted: PAGE, counts: isUser })
  if (entries.length === 0 && isWhole) throw misfit(`LDAP_USER_ATTRIBUTE: no user below LDAP_BASE has ${user}`)
  if (entries.length > 0 && !entries.some((entry) => idOf(entry, id))) throw withoutId(id)
}

const withoutId = (id: string) => misfit(`LDAP_ID_ATTRIBUTE: a user has no ${id}`)

async function findPerson(at: Searching, name: string): Promise<Person | undefined> {
  const { user, mailLike = user } = at.schema
  const attribute = name.includes('@') ? mailLike : user
  return personIn(at, await userWith(at, new EqualityFilter({ attribute, value: name })), { attribute, name })
}

/** More than one and a group of the same name. */
const AMBIGUOUS = 3

/** The one user that a filter finds; undefined if there are two. */
async function userWith(at: Searching, filter: Filter): Promise<Entry | undefined> {
  const { user, mailLike = user, id } = at.schema
  const options = searchOptions(at.schema, filter, [user, mailLike, id, CLASS, ...CHANGES, ...groupAttributes(at)])
  const { searchEntries } = await at.client.search(at.base, { ...options, sizeLimit: AMBIGUOUS })
  const [entry, ...others] = searchEntries.filter(isUser)
  if (others.length === 0 && searchEntries.length < AMBIGUOUS) return entry
  at.log.warn('several entries of the directory have one login name or id', {
    entries: searchEntries.map(({ dn }) => dn),
  })
  return undefined
}

/**
 * A directory may also match names that differ in blanks or only look alike. Those are refused: otherwise one account
 * would have many names by which failed logins are counted.
 * @param wanted the name that it must have; any if absent
 */
function personIn(
  { schema }: Searching,
  entry: Entry | undefined,
  wanted?: { readonly attribute: string; readonly name: string },
): Person | undefined {
  const given =
    entry && wanted && valuesOf(entry, wanted.attribute).find((each) => userKey(each) === userKey(wanted.name))
  if (!entry || (wanted && given === undefined)) return undefined
  const username = wanted?.attribute === schema.user ? given : valuesOf(entry, schema.user)[0]
  if (username === undefined) return undefined
  const id = idOf(entry, schema.id)
  if (id === undefined) throw withoutId(schema.id)
  return { entry, username, id, changedAt: changeOf(entry) }
}

async function toAccount(at: Searching, { entry, ...account }: Person): Promise<DirectoryAccount> {
  const roles = await rolesOfUser(at, entry, account.username)
  const filter = filterFor(at.schema.lock)
  const { searchEntries: locked } = await at.client.search(entry.dn, { scope: 'base', filter, attributes: ['1.1'] })
  return { ...account, roles, ...(locked.length > 0 && { isDisabled: true }) }
}

async function listUsers(at: Searching, wanted: number): Promise<DirectoryList> {
  const { user, lock } = at.schema
  const present = new PresenceFilter({ attribute: user })
  const found = await search(at, present, [user, CLASS, ...groupAttributes(at)], { wanted, counts: isUser })
  const locked = await search(at, new AndFilter({ filters: [present, filterFor(lock)] }), ['1.1'])
  const groups = await groupsAtOnce(at)
  const lockedKeys = new Set(locked.entries.map(({ dn }) => dnKey(dn)))
  const users = found.entries.map((entry) => {
    const [username = ''] = valuesOf(entry, user)
    return { username, roles: groups.rolesOf(entry, username), enabled: !lockedKeys.has(dnKey(entry.dn)) }
  })
  const namesakes = Map.groupBy(users, ({ username }) => userKey(username))
  return {
    users: users
      .filter(({ username }) => namesakes.get(userKey(username))?.length === 1)
      .sort((one, other) => (one.username < other.username ? -1 : 1)),
    isWhole: found.isWhole && locked.isWhole && groups.isWhole,
  }
}

/** What has to be set in another way, by a code of RFC 4511 appendix A or of Node's TLS. */
const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^(?:8|13)$/, 'LDAP_URL: the directory takes no password without TLS'],
  [/^10$/, 'LDAP_BASE: the directory refers to another server for it'],
  [/^32$/, 'LDAP_BASE: the directory has no such entry, or LDAP_BIND_DN may not read it'],
  [/^34$/, 'LDAP_BASE, LDAP_BIND_DN: the directory cannot read a name'],
  [/^50$/, 'LDAP_BIND_DN: it may not search below LDAP_BASE'],
  [/ALTNAME/, 'LDAP_URL: its host is not in the certificate of the directory'],
  [/EXPIRED/, 'LDAP_URL: the certificate of the directory has expired'],
  [/SELF_SIGNED|^UNABLE_TO/, 'LDAP_CA: the certificate of the directory is of an unknown authority'],
]

/** The setting that does not fit, if the error is one of the set-up; otherwise the error. */
function explained(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  const [, problem] = CAUSES.find(([form]) => form.test(code)) ?? []
  return problem === undefined ? error : misfit(problem, error)
}

/** The directory answers, but cannot serve with these settings. */
function misfit(problem: string, cause?: unknown): ConfigError {
  return Object.assign(new ConfigError([problem], 'The directory cannot be used'), { cause })
}
