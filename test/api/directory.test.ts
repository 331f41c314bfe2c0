import { describe, expect, it } from 'vitest'
import { demoUser } from '../support/accounts.ts'
import { call } from '../support/client.ts'

function as(username: string, password: string, path = '/api/ldap/users') {
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return call(path, { headers: { authorization } })
}
const passwordOf = (username: string) => demoUser(username).password

describe('GET /api/ldap/users answers 200 to users of the directory with HTTP Basic', () => {
  it.each(['LDAPUSER', 'ldapunicode'])('%s', async (username) => {
    const { status, json } = await as(username, passwordOf(username.toLowerCase()))
    expect(status).toBe(200)
    expect(json.user).toBe(username.toLowerCase())
  })
})

describe('401', () => {
  it.each([
    ['L01 for an empty password, which is a wrong one, not an anonymous bind', 'ldapadmin', ''],
    ['L02 for a user name that would be a filter', 'ldapadmin)(|(uid=*', passwordOf('ldapadmin')],
  ])('%s', async (_, username, password) => {
    const { status, json } = await as(username, password)
    expect(status).toBe(401)
    expect(json).toMatchObject({ message: 'Invalid username or password' })
  })
})

describe('L05 a role comes from the groups of the directory', () => {
  it.each([
    ['ldapadmin', '/api/admin/secure', 200],
    ['ldapuser', '/api/admin/secure', 403],
    ['ldapguest', '/api/user/secure', 403],
  ])('%s on %s: %d', async (username, path, status) => {
    expect((await as(username, passwordOf(username), path)).status).toBe(status)
  })

  it('a user in no group has no authorities', async () => {
    const { json } = await as('ldapguest', passwordOf('ldapguest'), '/api/auth/info')
    expect(json).toMatchObject({ username: 'ldapguest', authorities: [], authType: 'LDAP' })
  })
})
