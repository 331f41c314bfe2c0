import { Attribute, Change, Client } from 'ldapts'
import { BASE, SERVICE } from '../people.ts'
import { type Slapd, startSlapd } from '../slapd.ts'
import type { Entries } from './entries.ts'

const MANAGER = { dn: `cn=manager,${BASE}`, password: 'manager-password' }

const dnOf = (name: string) => `uid=${name},ou=people,${BASE}`

const unit = (name: string) => `dn: ou=${name},${BASE}\nobjectClass: organizationalUnit\nou: ${name}\n`

/** A group needs a member: it always has the service account. */
const group = (name: string, members: readonly string[]) => `dn: cn=${name},ou=groups,${BASE}
objectClass: groupOfNames
cn: ${name}
${[SERVICE.dn, ...members].map((member) => `member: ${member}`).join('\n')}
`

/** Long there: a login counts only if it is younger than the last change of the entry. */
const person = (name: string) => `dn: ${dnOf(name)}
objectClass: inetOrgPerson
uid: ${name}
cn: ${name}
sn: ${name}
userPassword: ${name}-password
pwdChangedTime: 20200101000000Z
`

const entriesOf = (names: readonly string[]) =>
  [
    `dn: ${BASE}\nobjectClass: dcObject\nobjectClass: organization\ndc: springframework\no: test\n`,
    ...['people', 'groups', 'services'].map(unit),
    `dn: ${SERVICE.dn}
objectClass: applicationProcess
objectClass: simpleSecurityObject
cn: svc
userPassword: ${SERVICE.password}
`,
    ...names.map(person),
    group('admins', names.map(dnOf)),
    group('users', []),
  ].join('\n')

const OVERLAY = `rootdn "${MANAGER.dn}"\nrootpw ${MANAGER.password}\noverlay ppolicy`

/** OpenLDAP with administrators of these names, and its overlay for passwords, which tells of changes and of locks. */
export function startManagedSlapd(names: readonly string[]): Promise<Slapd> {
  return startSlapd(entriesOf(names), 'moduleload ppolicy', OVERLAY)
}

/** Accounts of the directory, changed as its own administrators change them. */
export function directoryEntries({ ldap }: Slapd): Entries {
  async function asManager(work: (client: Client) => Promise<void>): Promise<void> {
    const client = new Client({ url: ldap, timeout: 2000, connectTimeout: 2000 })
    await client.bind(MANAGER.dn, MANAGER.password)
    await work(client)
    await client.unbind()
  }

  const modify = (dn: string, operation: 'add' | 'delete' | 'replace', type: string, value: string) =>
    asManager((client) =>
      client.modify(dn, new Change({ operation, modification: new Attribute({ type, values: [value] }) })),
    )

  const member = (operation: 'add' | 'delete', groupName: string, name: string) =>
    modify(`cn=${groupName},ou=groups,${BASE}`, operation, 'member', dnOf(name))

  const create = (name: string) =>
    asManager((client) =>
      client.add(dnOf(name), { objectClass: 'inetOrgPerson', cn: name, sn: name, userPassword: `${name}-password` }),
    )

  const remove = (name: string) => asManager((client) => client.del(dnOf(name)))

  return {
    'role removed': (name) => member('delete', 'admins', name),
    async demoted(name) {
      await member('add', 'users', name)
      await member('delete', 'admins', name)
    },
    'password changed': (name) => modify(dnOf(name), 'replace', 'userPassword', 'another-password'),
    // An administrator's lock, by section 5.3.3 of draft-behera-ldap-password-policy.
    disabled: (name) => modify(dnOf(name), 'add', 'pwdAccountLockedTime', '000001010000Z'),
    deleted: remove,
    // The groups name the entry by its place, and so are the next one's too.
    async 'name given away'(name) {
      await remove(name)
      await create(name)
    },
  }
}
