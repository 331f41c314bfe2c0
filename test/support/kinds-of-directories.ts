import { createHash } from 'node:crypto'
import { BASE, SERVICE } from './people.ts'

const TEXT = 'EQUALITY caseIgnoreMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.15 SINGLE-VALUE'
const WHOLE = 'EQUALITY integerMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.27 SINGLE-VALUE'
const NAME = 'EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12'

/** What Active Directory, FreeIPA and RFC 2307 add to the schema of slapd.conf, as far as a login needs it. */
export const SCHEMAS = `
attributetype ( 1.2.840.113556.1.4.221 NAME 'sAMAccountName' ${TEXT} )
attributetype ( 1.2.840.113556.1.4.656 NAME 'userPrincipalName' ${TEXT} )
attributetype ( 1.2.840.113556.1.4.2 NAME 'objectGUID' EQUALITY octetStringMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.40 )
attributetype ( 1.2.840.113556.1.4.8 NAME 'userAccountControl' ${WHOLE} )
attributetype ( 1.2.840.113556.1.4.96 NAME 'pwdLastSet' ${WHOLE} )
attributetype ( 2.16.840.1.113730.3.8.3.1 NAME 'ipaUniqueID' ${TEXT} )
attributetype ( 2.16.840.1.113730.3.1.610 NAME 'nsAccountLock' ${TEXT} )
attributetype ( 1.2.840.113556.1.2.102 NAME 'memberOf' ${NAME} )
attributetype ( 1.3.6.1.1.1.1.12 NAME 'memberUid' EQUALITY caseExactIA5Match SYNTAX 1.3.6.1.4.1.1466.115.121.1.26 )
objectclass ( 1.2.840.113556.1.5.9 NAME 'user' SUP organizationalPerson MAY ( sAMAccountName $ userPrincipalName $ objectGUID $ userAccountControl $ pwdLastSet ) )
objectclass ( 1.2.840.113556.1.5.8 NAME 'group' SUP top STRUCTURAL MUST cn MAY ( member $ sAMAccountName $ objectGUID ) )
objectclass ( 2.16.840.1.113730.3.8.4.1 NAME 'ipaObject' SUP top AUXILIARY MAY ( ipaUniqueID $ nsAccountLock $ memberOf ) )
objectclass ( 1.3.6.1.1.1.2.2 NAME 'posixGroup' SUP top STRUCTURAL MUST cn MAY memberUid )
`

export interface Person {
  readonly name: string
  readonly locked?: boolean
  /** Its password was set then, in the form of Active Directory. */
  readonly pwdLastSet?: string
}

/** The members of each group by name: of people, or of groups. */
export type Groups = Readonly<Record<string, readonly string[]>>

const entry = (dn: string, attributes: Readonly<Record<string, string | readonly string[] | undefined>>) =>
  `dn: ${dn}\n${Object.entries(attributes)
    .flatMap(([name, values]) =>
      [values ?? []]
        .flat()
        .map((value) => `${name}:${name.startsWith('object') && name !== 'objectClass' ? ':' : ''} ${value}`),
    )
    .join('\n')}\n`

const passwordOf = (name: string) => `${name}-password`

const frame = () => [
  entry(BASE, { objectClass: ['dcObject', 'organization'], dc: 'springframework', o: 'test' }),
  ...['people', 'groups', 'services'].map((ou) => entry(`ou=${ou},${BASE}`, { objectClass: 'organizationalUnit', ou })),
  entry(SERVICE.dn, {
    objectClass: ['applicationProcess', 'simpleSecurityObject'],
    cn: 'svc',
    userPassword: SERVICE.password,
  }),
]

const groupDn = (cn: string) => `cn=${cn},ou=groups,${BASE}`

/** The id that Active Directory's tools would show has its first bytes in another order. */
const guidOf = (name: string) =>
  Buffer.from(
    createHash('sha256')
      .update(name)
      .digest()
      .subarray(0, 16)
      .map((byte) => byte % 128),
  ).toString('base64')

/** People as in Active Directory; its groups have a login name and an id, too. */
export function adPeople(people: readonly Person[], groups: Groups): string {
  const dnOf = (name: string) => (name in groups ? groupDn(name) : `cn=${name},ou=people,${BASE}`)
  return [
    ...frame(),
    ...people.map(({ name, locked, pwdLastSet }) =>
      entry(dnOf(name), {
        objectClass: 'user',
        cn: name,
        sn: name,
        sAMAccountName: name,
        userPrincipalName: `${name}@corp.example`,
        objectGUID: guidOf(name),
        userAccountControl: locked ? '514' : '512',
        pwdLastSet,
        userPassword: passwordOf(name),
      }),
    ),
    ...Object.entries(groups).map(([cn, members]) =>
      entry(groupDn(cn), {
        objectClass: 'group',
        cn,
        sAMAccountName: cn,
        objectGUID: guidOf(cn),
        member: members.map(dnOf),
      }),
    ),
  ].join('\n')
}

/** People as in FreeIPA, whose entries name their groups, also those around their groups. */
export function ipaPeople(people: readonly Person[], groupsOf: Readonly<Record<string, readonly string[]>>): string {
  return [
    ...frame(),
    ...people.map(({ name, locked }) =>
      entry(`uid=${name},ou=people,${BASE}`, {
        objectClass: ['inetOrgPerson', 'ipaObject'],
        uid: name,
        cn: name,
        sn: name,
        ipaUniqueID: `${name}-id`,
        nsAccountLock: locked ? 'TRUE' : 'FALSE',
        memberOf: (groupsOf[name] ?? []).map((cn) => (cn.includes('=') ? cn : groupDn(cn))),
        userPassword: passwordOf(name),
      }),
    ),
    entry(groupDn('admins'), { objectClass: 'posixGroup', cn: 'admins' }),
  ].join('\n')
}

/** People of a directory for Unix, whose groups name the login names of their members (RFC 2307). */
export function unixPeople(members: readonly string[], more = ''): string {
  return [
    ...frame(),
    ...members.map((name) =>
      entry(`uid=${name},ou=people,${BASE}`, {
        objectClass: 'inetOrgPerson',
        uid: name,
        cn: name,
        sn: name,
        userPassword: passwordOf(name),
      }),
    ),
    entry(groupDn('staff'), { objectClass: 'posixGroup', cn: 'staff', 'cn;lang-en': 'admins', memberUid: members }),
    more,
  ].join('\n')
}
