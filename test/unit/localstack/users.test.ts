import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../support/stack.ts'

const { path: folder, remove } = temporaryFolder()
afterAll(remove)

/** What a local run makes of a file of users. */
async function run(text: string) {
  writeFileSync(join(folder, 'users.json'), text)
  const { demoUsers } = await import('../../../localstack/demo-users.ts')
  const { demoEntries } = await import('../../../localstack/stack/directory/entries.ts')
  const { identitiesOf } = await import('../../../localstack/providers/client.ts')
  return { users: demoUsers(true), entries: demoEntries(), identities: identitiesOf('github') }
}

beforeEach(() => {
  vi.resetModules()
  vi.stubEnv('GATEHOUSE_PROJECT', folder)
  return () => {
    vi.unstubAllEnvs()
    // Other files share this world.
    vi.resetModules()
  }
})

const ANN = { username: 'ann', password: 'p', role: 'ROLE_ADMIN', store: 'jdbc' }
const BOB = { username: 'b+b', password: 'q', role: 'ROLE_USER', store: 'ldap', name: 'Bob B', groups: ['Team 1'] }

describe('users.json', () => {
  it('has the users of the database, of the directory with their groups, and of the providers, in place of the demo’s', async () => {
    const cleo = { username: 'cleo', role: 'ROLE_ADMIN', store: 'github', email: 'cleo@example.com' }
    const gone = { ...ANN, username: 'gone', enabled: false }
    const { users, entries, identities } = await run(JSON.stringify([ANN, gone, BOB, cleo]))
    const { name: _, groups: __, ...bob } = BOB
    expect(users).toEqual([ANN, bob])
    const dn = 'uid=b\\+b,ou=people,dc=springframework,dc=org'
    const person = { objectClass: ['inetOrgPerson'], uid: ['b+b'], cn: ['Bob B'], sn: ['B'], userPassword: ['q'] }
    expect(entries).toContainEqual({ dn, attributes: person })
    const groups = entries.filter(({ attributes }) => attributes['member'])
    expect(groups.map(({ attributes }) => [attributes['cn'], attributes['member']])).toEqual([
      [['users'], [dn]],
      [['Team 1'], [dn]],
    ])
    expect(entries.map((entry) => entry.dn)).toContain('cn=gatehouse,ou=services,dc=springframework,dc=org')
    expect(identities).toMatchObject([{ store: 'github', login: 'cleo', role: 'ROLE_ADMIN', isEmailVerified: true }])
    expect(identities[0]?.id).toMatch(/^\d+$/)
  })

  it.each<[unknown, readonly string[]]>([
    [{}, ['must be a list of users']],
    [[{ ...ANN, pasword: 'p' }], ['0: has unknown fields: "pasword"']],
    [
      [
        { ...ANN, username: 'a b', role: 'ADMIN' },
        { ...BOB, store: 'mysql' },
      ],
      [
        '0.username: must be 1 to 64 letters, digits or . _ - @ +',
        '0.role: must be ROLE_ADMIN or ROLE_USER',
        '1.store: must be one of jdbc, ldap, google, github, facebook',
      ],
    ],
    [[ANN, BOB, { ...ANN, username: 'ANN' }], ['2.username: ANN is there twice in jdbc']],
    [[{ username: 'ann', role: 'ROLE_USER', store: 'ldap' }], ['0.password: must be there for a user of ldap']],
    [[{ ...ANN, role: null }], ['0.role: must be ROLE_ADMIN or ROLE_USER for a user of jdbc']],
    [[{ ...BOB, enabled: false }], ['0.enabled: can be false for a user of jdbc alone']],
    [[{ ...ANN, groups: [] }], ['0.groups: are of ldap alone']],
    [[{ ...BOB, groups: ['a,b'] }], ['0.groups.0: must be letters, digits, blanks and . _ -']],
    [[{ ...ANN, email: 'ann' }], ['0.email: must be an address']],
  ])('%j is refused: %j', async (list, problems) => {
    await expect(run(JSON.stringify(list))).rejects.toMatchObject({ problems })
  })

  it('that is no JSON is refused without a word of it', async () => {
    await expect(run('[{"password": "hidden"')).rejects.toThrow(/^Wrong users, users\.json:\n {2}is no JSON$/)
  })
})
