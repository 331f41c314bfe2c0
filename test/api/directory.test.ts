import { describe, expect, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { call } from '../support/client.ts'

function as(username: string, password: string, path = '/api/ldap/users') {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return call(path, { headers: { authorization } })
}
const passwordOf = (username: string) => demoUser(username).password

describe('GET /api/ldap/users answers 200 to users of the directory with HTTP Basic', () => {
  it.each(['ldapadmin', 'ldapuser', 'LDAPUSER', 'ldapunicode'])('%s', async (username) => {
    const { status, json } = await as(username, passwordOf(username.toLowerCase()))
    expect(status).toBe(200)
    expect(json.user).toBe(username.toLowerCase())
  })
})

describe('L01 an empty password is a wrong one, not an anonymous bind', () => {
  it.each(['', ' ', '\0'])('%j', async (password) => {
    const { status, json } = await as('ldapadmin', password)
    expect(status).toBe(401)
    expect(json).toMatchObject({ message: 'Invalid username or password' })
  })
})

describe('L02 a user name is not used as a filter or as a distinguished name', () => {
  it.each([
    '*',
    'ldap*',
    '*)(uid=*',
    'ldapadmin)(|(uid=*',
    '\\2a',
    '\\6cdapadmin',
    'ldapadmin\0',
    'ldapadmin,dc=springframework,dc=org',
    'uid=ldapadmin,ou=people,dc=springframework,dc=org',
    'ldapadmin ',
    'ｌdapadmin',
  ])('%j: 401', async (username) => {
    expect((await as(username, passwordOf('ldapadmin'))).status).toBe(401)
  })
})

describe('L05 a role comes from the groups of the directory', () => {
  it.each([
    ['ldapadmin', '/api/admin/secure', 200],
    ['ldapuser', '/api/admin/secure', 403],
    ['ldapuser', '/api/user/secure', 200],
    ['ldapguest', '/api/user/secure', 403],
    ['ldapguest', '/api/auth/info', 200],
  ])('%s on %s: %d', async (username, path, status) => {
    expect((await as(username, passwordOf(username), path)).status).toBe(status)
  })

  it('a user in no group has no authorities', async () => {
    const { json } = await as('ldapguest', passwordOf('ldapguest'), '/api/auth/info')
    expect(json).toMatchObject({ username: 'ldapguest', authorities: [], authType: 'LDAP' })
  })
})
