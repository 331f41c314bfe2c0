import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { describe, expect, it, vi } from 'vitest'
import { ldapDirectory } from '../../../../lib/adapters/ldap/directory.ts'
import type { Directory } from '../../../../lib/auth/directory.ts'
import { startEmbedded } from '../../../support/embedded-directory.ts'
import { answer, type FakeDirectory, fakeDirectory, found, requestOf } from '../../../support/fake-directory.ts'
import { freePort } from '../../../support/free-port.ts'
import { ldapOptions } from '../../../support/ldap-options.ts'
import { BASE, PEOPLE } from '../../../support/people.ts'
import { selfSigned } from '../../../support/slapd.ts'

const PASSWORD = 'ada-password'

function directoryAt(url: string): Directory {
  return ldapDirectory(ldapOptions(url, { LDAP_GROUP_ROLES: 'admins=ROLE_ADMIN,superusers=ROLE_ADMIN' }))
}

/** A directory that finds the given entries, whoever is asked for, and lets everybody in. */
async function directoryThatFinds(...names: readonly string[]) {
  const binds: string[] = []
  const fake = await fakeDirectory((socket) =>
    socket.on('data', (request: Buffer) => {
      const { id, isBind, isForAll } = requestOf(request)
      if (isBind) binds.push(request.toString('latin1'))
      const [people, operation] = isBind ? [[], 0x61] : [isForAll ? ['somebody'] : names, 0x65]
      const entries = people.map((name, index) => found(id, `uid=${name},ou=unit-${index},${BASE}`, name))
      socket.write(Buffer.concat([...entries, answer(id, operation, 0)]))
    }),
  )
  return { fake, binds, directory: directoryAt(fake.url) }
}

it.each(['', ' ', '\0', '\t'])('L01 an empty password is refused before anything is sent: %j', async (password) => {
  const { fake, directory } = await directoryThatFinds('Ada')
  expect(await directory.check('Ada', password)).toBeUndefined()
  expect(fake.connections()).toBe(0)
  await fake.stop()
})

it('L03 a name of two entries is refused, although each entry alone would be accepted, and no entry receives the password', async () => {
  const { fake, binds, directory } = await directoryThatFinds('Ada', 'Ada')
  expect(await directory.check('Ada', PASSWORD)).toBeUndefined()
  expect(binds.filter((bind) => bind.includes(PASSWORD))).toEqual([])
  await fake.stop()
})

describe('L04 a directory with a failure is unavailable, and the next call succeeds', () => {
  const afterBind = (respond: (socket: Socket, id: number) => void) =>
    fakeDirectory((socket) =>
      socket.on('data', (data: Buffer) => {
        const { id, isBind } = requestOf(data)
        if (isBind) socket.write(answer(id, 0x61, 0))
        else respond(socket, id)
      }),
    )

  it.concurrent.each<readonly [string, () => Promise<FakeDirectory>]>([
    ['hangs', () => fakeDirectory(() => {})],
    ['hangs up', () => fakeDirectory((socket) => socket.end())],
    [
      'ends in the middle of a bind',
      () => fakeDirectory((socket) => socket.on('data', () => socket.resetAndDestroy())),
    ],
    ['answers under another number', () => fakeDirectory((socket) => socket.write(answer(99, 0x61, 0)))],
    ['sends a referral', () => afterBind((socket, id) => socket.write(answer(id, 0x65, 10)))],
    ['ends in the middle of a search', () => afterBind((socket) => socket.resetAndDestroy())],
  ])('%s', async (_, start) => {
    const fake = await start()
    await expect(directoryAt(fake.url).check('Ada', PASSWORD)).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      status: 503,
    })
    await fake.stop()
  })

  it('refuses the connection', async () => {
    const directory = directoryAt(`ldap://127.0.0.1:${await freePort()}`)
    await expect(directory.check('Ada', PASSWORD)).rejects.toMatchObject({ code: 'UNAVAILABLE', status: 503 })
  })
})

it('L06 a certificate of an untrusted authority is refused, and the password is not sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-tls-'))
  const files = selfSigned(folder)
  const read: Buffer[] = []
  const server = createServer(
    { cert: readFileSync(files.certificate), key: readFileSync(files.key) },
    (socket) => void socket.on('data', (data: Buffer) => read.push(data)),
  ).on('tlsClientError', () => {})
  const port = await freePort()
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const directory = directoryAt(`ldaps://127.0.0.1:${port}`)
  await expect(directory.check('Ada', PASSWORD)).rejects.toMatchObject({ code: 'UNAVAILABLE' })
  expect(read).toEqual([])
  server.close()
  rmSync(folder, { recursive: true })
})

it('L07 100 checks leave no connection open', async () => {
  const { fake, directory } = await directoryThatFinds()
  for (let round = 0; round < 5; round++) {
    const checks = Array.from({ length: 20 }, () => directory.check('Ada', 'wrong'))
    expect(new Set(await Promise.all(checks))).toEqual(new Set([undefined]))
  }
  expect(fake.connections()).toBe(200)
  await vi.waitUntil(() => fake.open() === 0, { timeout: 20_000, interval: 20 })
  await fake.stop()
}, 30_000)

describe('L05 the groups of a user', () => {
  it('are found by the same member in any case and spacing; nested ones do not count', async () => {
    const nested = `
dn: cn=outer,ou=groups,${BASE}
objectClass: groupOfNames
cn: superusers
member: cn=readers,ou=groups,${BASE}
`
    const { ldap, stop } = await startEmbedded(`${PEOPLE}\n${nested}`)
    const directory = directoryAt(ldap)
    expect(await directory.check('Ada', PASSWORD)).toMatchObject({ username: 'Ada', roles: ['ROLE_ADMIN'] })
    expect(await directory.check('gabi', 'gabi-password')).toMatchObject({ username: 'gabi', roles: [] })
    expect(await directory.check('nina', 'nina-password')).toMatchObject({ username: 'nina', roles: [] })
    await stop()
  })
})
