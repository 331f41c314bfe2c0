import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DEMO } from '../../../lib/runtime/settings/strength.ts'
import { type LocalUser, ownUsers, passwordUsers } from '../../users.ts'

/** The settings with which the service reaches the demo directory. They belong to a local run, so none is secret. */
export const DEMO_DIRECTORY = {
  LDAP_START_TLS: 'false',
  LDAP_BIND_DN: 'cn=gatehouse,ou=services,dc=springframework,dc=org',
  LDAP_BIND_PASSWORD: DEMO.bindPassword,
  LDAP_BASE: 'dc=springframework,dc=org',
} as const

/** The demo directory with its passwords, which are kept with those of all demo users; or that of the project's users. */
export function demoEntries(file = 'demo.ldif'): readonly Entry[] {
  const demo = parseLdif(readFileSync(join(import.meta.dirname, file), 'utf8'))
  const own = ownUsers()
  const places = demo.filter(({ dn }) => !/,ou=(?:people|groups),/.test(dn))
  return (own ? [...places, ...entriesOf(own, file === AD_DEMO)] : demo).map(withPassword)
}

/** The group of a role, as LDAP_GROUP_ROLES has it by default. */
const GROUPS = { ROLE_ADMIN: 'admins', ROLE_USER: 'users' } as const

/** What an entry has besides its common names, with the schema of Active Directory. */
function ofAd(kind: 'user' | 'group', name: string) {
  const objectGUID = createHash('sha256').update(`${kind} ${name}`).digest('hex').slice(0, 16)
  return { objectClass: [kind], sAMAccountName: [name], objectGUID: [objectGUID] }
}

/** People, and the groups that they are in. */
function entriesOf(users: readonly LocalUser[], isAd: boolean): readonly Entry[] {
  const { LDAP_BASE: base } = DEMO_DIRECTORY
  const people = users.filter(({ store }) => store === 'ldap')
  // RFC 4514, section 2.4; no other character of a username is special.
  const dnOf = ({ username }: LocalUser) => `uid=${username.replaceAll('+', '\\+')},ou=people,${base}`
  const groupsOf = ({ role, groups = [] }: LocalUser) => [...(role ? [GROUPS[role]] : []), ...groups]
  const named = [...new Set(people.flatMap(groupsOf))].map((cn) => {
    const member = people.filter((user) => groupsOf(user).includes(cn)).map(dnOf)
    const kind = isAd ? ofAd('group', cn) : { objectClass: ['groupOfNames'] }
    return { dn: `cn=${cn},ou=groups,${base}`, attributes: { ...kind, cn: [cn], member } }
  })
  const entries = people.map((user) => {
    const { username, name = username, email } = user
    const upn = `${username}@springframework.org`
    const kind = isAd
      ? { ...ofAd('user', username), userPrincipalName: [upn], userAccountControl: ['512'] }
      : { objectClass: ['inetOrgPerson'], uid: [username] }
    const mail = email === undefined ? {} : { mail: [email] }
    return { dn: dnOf(user), attributes: { ...kind, cn: [name], sn: [name.replace(/^.* /, '')], ...mail } }
  })
  return [...entries, ...named]
}

/** The file of a demo directory with the schema of Active Directory. */
export const AD_DEMO = 'demo-ad.ldif'

function withPassword({ dn, attributes }: Entry): Entry {
  const [name] = attributes['uid'] ?? attributes['sAMAccountName'] ?? []
  const user = passwordUsers().find(({ store, username }) => store === 'ldap' && username === name)
  const password = dn === DEMO_DIRECTORY.LDAP_BIND_DN ? DEMO_DIRECTORY.LDAP_BIND_PASSWORD : user?.password
  return password === undefined ? { dn, attributes } : { dn, attributes: { ...attributes, userPassword: [password] } }
}

/** The attribute that identifies an entry for ever (RFC 4530); a search returns it only on request. */
export const ENTRY_UUID = 'entryUUID'

/**
 * An entry with an id: that of the LDIF, or else a hash of the entry's content. So an id is the same at each start, and
 * differs for another person of the same name.
 */
export function withId(entry: Entry): Entry {
  const { dn, attributes } = entry
  if (Object.keys(attributes).some((name) => /^(?:entryUUID|objectGUID)$/i.test(name))) return entry
  const hash = createHash('sha256')
    .update(JSON.stringify([dn, attributes]))
    .digest('hex')
  // Version 8 of RFC 9562: the content is free.
  const parts = [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ]
  return { dn, attributes: { ...attributes, [ENTRY_UUID]: [parts.join('-')] } }
}

/** An entry of a directory; its attributes by name, in the first spelling. */
export interface Entry {
  readonly dn: string
  readonly attributes: Readonly<Record<string, readonly string[]>>
}

/**
 * Parses the entries of an LDIF text (RFC 2849); supports neither changes nor values from files.
 * @throws Error naming the unreadable line
 */
export function parseLdif(text: string): readonly Entry[] {
  const records = text.replaceAll('\r\n', '\n').split(/\n{2,}/)
  return records.map(linesOf).flatMap((lines) => {
    const [first, ...others] = lines.map(parseLine).filter(([name]) => name.toLowerCase() !== 'version')
    if (first === undefined) return []
    const [name, dn] = first
    if (name.toLowerCase() !== 'dn') throw new Error(`LDIF: an entry begins with ${name}`)
    return [{ dn, attributes: attributesOf(others) }]
  })
}

/** Drops comments and joins folded lines. */
function linesOf(record: string): readonly string[] {
  const lines = record.replaceAll('\n ', '').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#'))
}

function parseLine(line: string): readonly [name: string, value: string] {
  const [, name, encoding, value = ''] = /^([A-Za-z][\w.;-]*):(:?) *(.*)$/s.exec(line) ?? []
  if (name === undefined || (encoding === '' && value.startsWith('<'))) throw new Error(`LDIF: cannot read "${line}"`)
  return [name, encoding === ':' ? Buffer.from(value, 'base64').toString() : value]
}

function attributesOf(lines: readonly (readonly [name: string, value: string])[]): Entry['attributes'] {
  const byName = Map.groupBy(lines, ([name]) => name.toLowerCase())
  const entries = [...byName.values()].map((same) => [same[0]?.[0] ?? '', same.map(([, value]) => value)] as const)
  return Object.fromEntries(entries)
}

/** The LDIF text of entries; values are in base64 unless every reader accepts them verbatim (RFC 2849, SAFE-STRING). */
export function writeLdif(entries: readonly Entry[]): string {
  return entries
    .map(({ dn, attributes }) => [lineOf('dn', dn), ...Object.entries(attributes).flatMap(linesFor)].join('\n'))
    .join('\n\n')
    .concat('\n')
}

function linesFor([name, values]: readonly [string, readonly string[]]): readonly string[] {
  return values.map((value) => lineOf(name, value))
}

function lineOf(name: string, value: string): string {
  const isSafe = /^(?![ :<])[ -~]*(?<! )$/.test(value)
  return isSafe ? `${name}: ${value}` : `${name}:: ${Buffer.from(value).toString('base64')}`
}
