import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ldapDirectory } from '../../lib/adapters/ldap/directory.ts'
import type { Directory } from '../../lib/auth/directory.ts'
import { ServiceError } from '../../lib/errors.ts'
import { ConfigError, type Environment } from '../../lib/runtime/config.ts'
import { startEmbedded } from '../support/embedded-directory.ts'
import { adPeople, ipaPeople, SCHEMAS, unixPeople } from '../support/kinds-of-directories.ts'
import { ldapOptions } from '../support/ldap-options.ts'
import { BASE, PEOPLE, SERVICE } from '../support/people.ts'
import { hasSlapd, type Slapd, startSlapd } from '../support/slapd.ts'

const isSlapdHere = hasSlapd()

const AD = { LDAP_KIND: 'ad' }

const STAFF = [
  { name: 'ada', pwdLastSet: '134404791716043060' },
  { name: 'bob', pwdLastSet: '0' },
  { name: 'dora', locked: true },
  { name: 'eve' },
]

const GROUPS = { inner: ['ada', 'admins'], admins: ['inner'], users: ['bob', 'dora'], readers: ['eve'] }

const ROLES: Readonly<Record<string, readonly string[]>> = {
  ada: ['ROLE_ADMIN'],
  bob: ['ROLE_USER'],
  dora: ['ROLE_USER'],
  eve: [],
}

const IMPLEMENTATIONS: readonly (readonly [string, () => Promise<{ ldap: string; stop(): Promise<void> }>])[] = [
  ['the embedded directory', () => startEmbedded(adPeople(STAFF, GROUPS))],
  ...(isSlapdHere ? [['OpenLDAP', () => startSlapd(adPeople(STAFF, GROUPS), SCHEMAS)] as const] : []),
]

describe.each(IMPLEMENTATIONS)('%s with the schema of Active Directory', (_, start) => {
  let server: { ldap: string; stop(): Promise<void> }
  let directory: Directory

  beforeAll(async () => {
    server = await start()
    directory = ldapDirectory(ldapOptions(server.ldap, AD))
  })
  afterAll(() => server.stop())

  it.each(['ada', 'ADA', 'ada@corp.example'])('knows a user by either name, under the first one: %s', async (name) => {
    const account = { username: 'ada', roles: ['ROLE_ADMIN'], changedAt: new Date('2026-11-30T02:26:11.604Z') }
    expect(await directory.check(name, 'ada-password')).toMatchObject(account)
    expect(await directory.check(name, 'wrong')).toBeUndefined()
    expect(await directory.find(name)).toMatchObject(account)
  })

  it('finds a user by the bytes of the id, written as a GUID', async () => {
    const ada = await directory.find('ada')
    expect(ada?.id).toMatch(/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
    expect(await directory.findById(ada?.id ?? '')).toEqual(ada)
    expect(await directory.findById('00000000-0000-0000-0000-000000000001')).toBeUndefined()
  })

  it('follows groups of groups, and a circle only once', async () => {
    for (const [name, roles] of Object.entries(ROLES)) expect(await directory.find(name)).toMatchObject({ roles })
  })

  it('lists the same users with the same roles, and no groups', async () => {
    const users = Object.entries(ROLES).map(([username, roles]) => ({ username, roles, enabled: username !== 'dora' }))
    expect(await directory.list(1000)).toEqual({ users, isWhole: true })
  })

  it('refuses a locked user, and shows the lock', async () => {
    expect(await directory.check('dora', 'dora-password')).toBeUndefined()
    expect(await directory.find('dora')).toMatchObject({ isDisabled: true })
    expect((await directory.find('ada'))?.isDisabled).toBeUndefined()
  })

  it('has no group as a user', async () => {
    expect(await directory.find('admins')).toBeUndefined()
  })

  it('lacks nothing', async () => {
    await expect(directory.probe()).resolves.toBeUndefined()
  })
})

describe.runIf(isSlapdHere)('of 3,000 users', () => {
  const names = Array.from({ length: 3000 }, (_, index) => `u${String(index).padStart(4, '0')}`)
  const many = adPeople(
    names.map((name) => ({ name })),
    { inner: names.slice(0, 2000), admins: ['inner'] },
  )

  it.each([
    ['500 where the server shows no more', 'sizelimit 500', 500],
    ['1,000 where it shows 500 at a time', 'sizelimit size.soft=500 size.hard=500 size.prtotal=unlimited', 1000],
    ['100 where its limit is below a page', 'sizelimit 100', 100],
  ])('a list has %s, and says that there are more', async (_, limit, length) => {
    const slapd = await startSlapd(many, SCHEMAS, limit)
    const directory = ldapDirectory(ldapOptions(slapd.ldap, AD))
    const { users, isWhole } = await directory.list(1000)
    expect({ length: users.length, isWhole }).toEqual({ length, isWhole: false })
    for (const { username, roles } of users)
      expect({ username, roles }).toEqual({ username, roles: username < 'u2000' ? ['ROLE_ADMIN'] : [] })
    expect(await directory.check('u2999', 'u2999-password')).toMatchObject({ roles: [] })
    expect(await directory.check('u1999', 'u1999-password')).toMatchObject({ roles: ['ROLE_ADMIN'] })
    await slapd.stop()
  })
})

/** A group with the member, one with that group, and so on; then one that gives a role. */
const chain = (length: number, member: string) =>
  Object.fromEntries(
    Array.from({ length }, (_, level) => [
      level === length - 1 ? 'admins' : `${member}-${level + 1}`,
      [level === 0 ? member : `${member}-${level}`],
    ]),
  )

describe.runIf(isSlapdHere)('other directories', () => {
  it.each([
    [9, ['ROLE_ADMIN'], 0],
    [10, ['ROLE_ADMIN'], 1],
    [11, [], 1],
  ])('are walked for ten levels, and it is noted where there may be more: %i', async (length, roles, notes) => {
    const slapd = await startSlapd(adPeople([{ name: 'deep' }], chain(length, 'deep')), SCHEMAS)
    const options = ldapOptions(slapd.ldap, AD)
    expect(await ldapDirectory(options).find('deep')).toMatchObject({ roles })
    expect(await ldapDirectory(options).list(10)).toMatchObject({ users: [{ roles }] })
    expect(options.log.of('groups of groups of a user are followed no further')).toHaveLength(notes)
    await slapd.stop()
  })

  it('name the groups of a user in its entry, as FreeIPA does', async () => {
    const people = [{ name: 'ada' }, { name: 'bob', locked: true }, { name: 'eve' }]
    const groups = { ada: ['Admins'], bob: ['users'], eve: ['cn=admins,cn=privileges,dc=elsewhere'] }
    const slapd = await startSlapd(ipaPeople(people, groups), SCHEMAS)
    const directory = ldapDirectory(ldapOptions(slapd.ldap, { LDAP_KIND: 'freeipa' }))
    expect(await directory.check('ada', 'ada-password')).toEqual({
      username: 'ada',
      id: 'ada-id',
      roles: ['ROLE_ADMIN'],
      changedAt: expect.any(Date),
    })
    expect(await directory.check('bob', 'bob-password')).toBeUndefined()
    expect(await directory.list(10)).toEqual({
      users: [
        { username: 'ada', roles: ['ROLE_ADMIN'], enabled: true },
        { username: 'bob', roles: ['ROLE_USER'], enabled: false },
        { username: 'eve', roles: [], enabled: true },
      ],
      isWhole: true,
    })
    expect((await directory.findById('ada-id'))?.username).toBe('ada')
    await slapd.stop()
  })

  it('name members by their login names, groups by a name in a language, and other servers by a referral', async () => {
    const referral = `dn: ou=far,${BASE}\nobjectClass: referral\nobjectClass: extensibleObject\nou: far\nref: ldap://127.0.0.1:9/\n`
    const slapd = await startSlapd(unixPeople(['ada', 'bob'], referral), SCHEMAS)
    const directory = ldapDirectory(ldapOptions(slapd.ldap))
    expect(await directory.check('ada', 'ada-password')).toMatchObject({ roles: ['ROLE_ADMIN'] })
    expect(await directory.list(10)).toMatchObject({ users: [{ roles: ['ROLE_ADMIN'] }, {}], isWhole: true })
    await slapd.stop()
  })

  it('follow groups of groups where the filter says so, and take another attribute as the name', async () => {
    const slapd = await startSlapd(adPeople(STAFF, GROUPS), SCHEMAS)
    const directory = ldapDirectory(ldapOptions(slapd.ldap, { ...AD, LDAP_USER_ATTRIBUTE: 'userPrincipalName' }))
    expect(await directory.find('ada@corp.example')).toMatchObject({
      username: 'ada@corp.example',
      roles: ['ROLE_ADMIN'],
    })
    expect(await directory.find('ada')).toBeUndefined()
    const flat = ldapDirectory(ldapOptions(slapd.ldap, { ...AD, LDAP_GROUP_FILTER: '(member={dn})' }))
    expect(await flat.find('ada')).toMatchObject({ roles: [] })
    await slapd.stop()
  })
})

describe.runIf(isSlapdHere)('a directory that cannot be used is told from one that is down:', () => {
  let slapd: Slapd
  beforeAll(async () => {
    slapd = await startSlapd(PEOPLE, SCHEMAS)
  })
  afterAll(() => slapd.stop())

  const at = (given: Environment, { password = SERVICE.password, url = slapd.ldap } = {}) =>
    ldapDirectory({ ...ldapOptions(url, given), service: { current: { ...SERVICE, password } } })

  const problemsOf = async (call: Promise<unknown>) => {
    const error = await call.catch((reason: unknown) => reason)
    const cause = error instanceof ServiceError && error.code === 'UNAVAILABLE' ? error.cause : undefined
    return cause instanceof ConfigError ? cause.problems : cause
  }

  it.each<[string, Environment, string]>([
    ['it has no such ids', { LDAP_ID_ATTRIBUTE: 'objectGUID' }, 'LDAP_ID_ATTRIBUTE: a user has no objectGUID'],
    [
      'nobody has such a name',
      { LDAP_USER_ATTRIBUTE: 'sAMAccountName' },
      'LDAP_USER_ATTRIBUTE: no user below LDAP_BASE has sAMAccountName',
    ],
    [
      'it has no such base',
      { LDAP_BASE: `ou=nowhere,${BASE}` },
      'LDAP_BASE: the directory has no such entry, or LDAP_BIND_DN may not read it',
    ],
  ])('%s', async (_, given, problem) => {
    expect(await problemsOf(at(given).probe())).toEqual([problem])
    expect(await problemsOf(at(given).check('Ada', 'ada-password'))).toEqual([problem])
    expect(await problemsOf(at(given).check('nobody', 'ada-password'))).toEqual([problem])
  })

  it('it refuses the service account, or its certificate is of an unknown authority', async () => {
    const refused = 'LDAP_BIND_DN: the directory refuses it with LDAP_BIND_PASSWORD'
    expect(await problemsOf(at({}, { password: 'wrong' }).find('Ada'))).toEqual([refused])
    const unknown = 'LDAP_CA: the certificate of the directory is of an unknown authority'
    expect(await problemsOf(at({}, { url: slapd.ldaps }).find('Ada'))).toEqual([unknown])
  })

  it('it shows no group that gives a role, which only a look tells', async () => {
    const directory = at({ LDAP_GROUP_ROLES: 'chiefs=ROLE_ADMIN' })
    const problem = 'LDAP_GROUP_ROLES: no group below LDAP_BASE has one of its names and shows members'
    expect(await problemsOf(directory.probe())).toEqual([problem])
    expect(await directory.check('Ada', 'ada-password')).toMatchObject({ roles: [] })
  })

  it('two entries of one name are noted', async () => {
    const options = ldapOptions(slapd.ldap)
    expect(await ldapDirectory(options).find('twin')).toBeUndefined()
    expect(options.log.of('several entries of the directory have one login name or id')).toHaveLength(1)
  })
})
