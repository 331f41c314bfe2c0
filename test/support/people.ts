/** A directory in which everything is a little odd; LDIF for any server. */
export const BASE = 'dc=springframework,dc=org'
export const SERVICE = { dn: `cn=svc,ou=services,${BASE}`, password: 'service-password' }

export const UTF8_PASSWORD = 'grüße 密码 🔑'
export const ODD_NAME = 'o,dd (n*me)#1'

const encoded = (text: string) => Buffer.from(text).toString('base64')

const unit = (name: string) => `dn: ou=${name},${BASE}
objectClass: organizationalUnit
ou: ${name}
`

const person = (
  uid: string,
  password: string,
  rdn = uid,
  parent = 'people',
) => `dn:: ${encoded(`uid=${rdn},ou=${parent},${BASE}`)}
objectClass: inetOrgPerson
uid:: ${encoded(uid)}
cn: somebody
sn: somebody
userPassword:: ${encoded(password)}
`

const group = (
  cn: string,
  members: readonly string[],
  form = ['groupOfNames', 'member'],
) => `dn: cn=${cn},ou=groups,${BASE}
objectClass: ${form[0]}
cn: ${cn}
${members.map((member) => `${form[1]}:: ${encoded(member)}`).join('\n')}
`

export const PEOPLE = [
  `dn: ${BASE}
objectClass: dcObject
objectClass: organization
dc: springframework
o: test
`,
  ...['people', 'staff', 'groups', 'services'].map(unit),
  `dn: ${SERVICE.dn}
objectClass: applicationProcess
objectClass: simpleSecurityObject
cn: svc
userPassword: ${SERVICE.password}
`,
  person('Ada', 'ada-password'),
  person('uwe', UTF8_PASSWORD),
  person('jürgen', 'jürgen-password'),
  person(ODD_NAME, 'odd-password', 'o\\,dd (n*me)#1'),
  person('gabi', 'gabi-password'),
  person('carla', 'carla-password'),
  person('nina', 'nina-password'),
  person('twin', 'twin-password'),
  person('twin', 'twin-password', 'twin', 'staff'),
  group('Admins', [`UID=ada , OU=people,  dc=SpringFramework,DC=org`]),
  group('administrators', [`uid=CARLA,ou=People, ${BASE}`], ['groupOfUniqueNames', 'uniqueMember']),
  group('users', [
    `uid=Ada,ou=people,${BASE}`,
    `uid=uwe,ou=people,${BASE}`,
    `uid=jürgen,ou=people,${BASE}`,
    `uid=o\\2Cdd (n\\2Ame)#1,ou=people,${BASE}`,
  ]),
  group('readers', [`uid=gabi,ou=people,${BASE}`]),
].join('\n')

/** A name that ldapjs cannot write in a distinguished name: it leaves the backslash as it is. */
export const BACKSLASH_NAME = 'a\\b'
export const BACKSLASH_PERSON = `\n${person(BACKSLASH_NAME, 'backslash-password', 'a\\\\b')}`
