import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import fc from 'fast-check'
import { Client } from 'ldapts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { ldapDirectory } from '../../lib/adapters/ldap/directory.ts'
import { anyAccount, databaseAccounts, directoryAccounts, eitherAccounts } from '../../lib/auth/accounts.ts'
import type { Directory } from '../../lib/auth/directory.ts'
import { createLoginFailures } from '../../lib/auth/login-failures.ts'
import { hashPassword } from '../../lib/auth/password.ts'
import { createSignIn } from '../../lib/auth/sign-in.ts'
import { ServiceError } from '../../lib/errors.ts'
import type { Role } from '../../lib/users/role.ts'
import type { User } from '../../lib/users/user.ts'
import users from '../../localstack/demo-users.json' with { type: 'json' }
import { openDataFolder } from '../../localstack/stack/data-folder.ts'
import { DEMO_DIRECTORY, demoEntries, writeLdif } from '../../localstack/stack/directory/entries.ts'
import { startDirectory } from '../../localstack/stack/directory/start.ts'
import { anyText } from '../support/any-text.ts'
import { startEmbedded } from '../support/embedded-directory.ts'
import { answer, type FakeDirectory, fakeDirectory, found, requestOf } from '../support/fake-directory.ts'
import { fixedClock } from '../support/fakes/clock.ts'
import { MemoryCounter } from '../support/fakes/counter.ts'
import { recordingLog } from '../support/fakes/log.ts'
import { recordingMetrics } from '../support/fakes/metrics.ts'
import { recordingLogins } from '../support/fakes/trail.ts'
import { MemoryUsers } from '../support/fakes/users.ts'
import { freePort } from '../support/free-port.ts'
import { inFull } from '../support/full-runs.ts'
import { ldapOptions } from '../support/ldap-options.ts'
import { BACKSLASH_NAME, BACKSLASH_PERSON, BASE, ODD_NAME, PEOPLE, SERVICE, UTF8_PASSWORD } from '../support/people.ts'
import { hasSlapd, type Slapd, selfSigned, startSlapd } from '../support/slapd.ts'

interface Way {
  readonly startTls?: boolean
  readonly ca?: string
  readonly service?: { readonly dn: string; readonly password: string }
}

function directoryAt(url: string, { startTls = false, ca, service = SERVICE }: Way = {}): Directory {
  return ldapDirectory({ ...ldapOptions(url), startTls, ca, service: { current: service } })
}

const NO_LIMITS = { perUser: 0, perAddress: 0, perName: 0, windowSeconds: 300 }

const isSlapdHere = hasSlapd()

const IMPLEMENTATIONS: readonly (readonly [string, () => Promise<{ ldap: string; stop(): Promise<void> }>])[] = [
  ['the embedded directory', () => startEmbedded(PEOPLE)],
  ...(isSlapdHere ? [['OpenLDAP', () => startSlapd(PEOPLE)] as const] : []),
]

async function expectUnavailable(call: Promise<unknown>): Promise<void> {
  const error = await call.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(ServiceError)
  expect(error).toMatchObject({ code: 'UNAVAILABLE', status: 503, cause: expect.any(Error) })
}

describe.each(IMPLEMENTATIONS)('%s as a directory', (_, start) => {
  let server: { ldap: string; stop(): Promise<void> }
  let directory: Directory

  beforeAll(async () => {
    server = await start()
    directory = directoryAt(server.ldap)
  })
  afterAll(() => server.stop())

  it.each([
    ['its group', 'uwe', UTF8_PASSWORD, ['ROLE_USER']],
    ['several groups, one with another spelling of the name', 'Ada', 'ada-password', ['ROLE_ADMIN', 'ROLE_USER']],
    ['a group of unique names', 'carla', 'carla-password', ['ROLE_ADMIN']],
    ['an odd name in it', ODD_NAME, 'odd-password', ['ROLE_USER']],
    ['no group that maps to a role', 'gabi', 'gabi-password', []],
  ])('maps the groups to the roles for a right password: %s', async (_case, username, password, roles) => {
    expect(await directory.check(username, password)).toMatchObject({ username, roles })
  })

  it.each(['ada', 'Ada'])('finds a name in any case, and answers with its own spelling: %s', async (name) => {
    expect(await directory.check(name, 'ada-password')).toMatchObject({ username: 'Ada' })
    expect(await directory.find(name)).toMatchObject({ username: 'Ada', roles: ['ROLE_ADMIN', 'ROLE_USER'] })
  })

  it.each([
    ['a wrong password', 'uwe', 'wrong'],
    ['the right password in another case', 'Ada', 'ADA-PASSWORD'],
    ['an unknown name', 'nobody', 'ada-password'],
    ['an empty password', 'uwe', ''],
    ['a password of NULs', 'uwe', '\0\0'],
    ['an empty name', '', 'ada-password'],
    ['a NUL', 'ada\0', 'ada-password'],
    ['a wildcard', '*', 'ada-password'],
    ['an LDAP filter', 'ada)(|(uid=*', 'ada-password'],
    ['an escaped wildcard', '\\2a', 'ada-password'],
    ['a name and a space', 'ada ', 'ada-password'],
    ['a name that looks alike', 'ａｄａ', 'ada-password'],
    ['a distinguished name', `uid=Ada,ou=people,${BASE}`, 'ada-password'],
    ['a name that continues the distinguished name', 'Ada,ou=people', 'ada-password'],
    ['a name of two entries', 'twin', 'twin-password'],
    ['a longer name', 'a'.repeat(100_000), 'ada-password'],
  ])('refuses %s', async (_case, username, password) => {
    expect(await directory.check(username, password)).toBeUndefined()
  })

  it.each(['nobody', '*', '', 'twin'])('does not find %j', async (name) => {
    expect(await directory.find(name)).toBeUndefined()
  })

  it('B18 finds a user by the unique id', async () => {
    const ada = await directory.find('Ada')
    expect(ada?.id).toMatch(/^[0-9a-f-]{36}$/)
    expect((await directory.check('Ada', 'ada-password'))?.id).toBe(ada?.id)
    expect(await directory.findById(ada?.id ?? '')).toEqual(ada)
    expect((await directory.find('uwe'))?.id).not.toBe(ada?.id)
  })

  it.each(['', '*', '00000000-0000-4000-8000-000000000000', ')(uid=*'])(
    'B18 finds no user by the id %j',
    async (id) => {
      expect(await directory.findById(id)).toBeUndefined()
    },
  )

  it('lists users by name, with their roles, without those who cannot log in', async () => {
    const listed = (username: string, ...roles: readonly Role[]) => ({ username, roles, enabled: true })
    expect(await directory.list(1000)).toEqual({
      users: [
        listed('Ada', 'ROLE_ADMIN', 'ROLE_USER'),
        listed('carla', 'ROLE_ADMIN'),
        listed('gabi'),
        listed('jürgen', 'ROLE_USER'),
        listed('nina'),
        listed(ODD_NAME, 'ROLE_USER'),
        listed('uwe', 'ROLE_USER'),
      ],
      isWhole: true,
    })
  })

  it('lists no more than requested, and says so', async () => {
    expect(await directory.list(3)).toMatchObject({ users: { length: 3 }, isWhole: false })
  })

  it('is unavailable when the service account may not search', async () => {
    await expectUnavailable(
      directoryAt(server.ldap, { service: { ...SERVICE, password: 'wrong' } }).check('Ada', 'ada-password'),
    )
  })

  it('no text changes the answer', async () => {
    const property = fc.asyncProperty(anyText({ maxLength: 300 }), async (text) => {
      expect(await directory.check(text, 'no-password-at-all')).toBeUndefined()
    })
    await fc.assert(property, { numRuns: inFull(2000) })
  })
})

it.runIf(isSlapdHere)('an empty password is refused although some directories would accept it', async () => {
  const slapd = await startSlapd(PEOPLE, 'allow bind_anon_dn')
  const client = new Client({ url: slapd.ldap, timeout: 2000, connectTimeout: 2000 })
  await client.bind(`uid=Ada,ou=people,${BASE}`, '')
  await client.unbind()
  expect(await directoryAt(slapd.ldap).check('Ada', '')).toBeUndefined()
  expect(await directoryAt(slapd.ldap).check('Ada', 'ada-password')).toMatchObject({ username: 'Ada' })
  await slapd.stop()
})

describe.runIf(isSlapdHere)('OpenLDAP with the demo directory, as in localstack/compose.yaml', () => {
  let slapd: Slapd
  let directory: Directory

  beforeAll(async () => {
    slapd = await startSlapd(writeLdif(demoEntries()))
    const { LDAP_BIND_DN: dn, LDAP_BIND_PASSWORD: password } = DEMO_DIRECTORY
    directory = directoryAt(slapd.ldap, { service: { dn, password } })
  })
  afterAll(() => slapd.stop())

  it.each(users.filter(({ store }) => store === 'ldap'))(
    'knows $username by password, with $role',
    async ({ username, password, role }) => {
      expect(await directory.check(username, password)).toMatchObject({ username, roles: role === null ? [] : [role] })
    },
  )
})

describe.runIf(isSlapdHere)('a protected connection', () => {
  let slapd: Slapd
  beforeAll(async () => {
    slapd = await startSlapd(PEOPLE + BACKSLASH_PERSON)
  })
  afterAll(() => slapd.stop())

  it('is not needed on this machine, where a name may also contain a backslash', async () => {
    const directory = directoryAt(slapd.ldap)
    expect(await directory.check(BACKSLASH_NAME, 'backslash-password')).toMatchObject({
      username: BACKSLASH_NAME,
      roles: [],
    })
  })

  const foreign = () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-ca-'))
    const pem = readFileSync(selfSigned(folder).certificate, 'utf8')
    rmSync(folder, { recursive: true })
    return pem
  }

  it.each([
    ['ldaps', false],
    ['StartTLS', true],
  ])('by %s works with the certificate of the server’s authority', async (_case, startTls) => {
    const directory = directoryAt(startTls ? slapd.ldap : slapd.ldaps, { startTls, ca: slapd.ca })
    expect(await directory.check('Ada', 'ada-password')).toMatchObject({ username: 'Ada' })
    expect(await directory.check('Ada', 'wrong')).toBeUndefined()
  })

  it.each([
    ['ldaps', false],
    ['StartTLS', true],
  ])('by %s is refused with the certificate of another or an unknown authority', async (_case, startTls) => {
    const url = startTls ? slapd.ldap : slapd.ldaps
    await expectUnavailable(directoryAt(url, { startTls, ca: foreign() }).check('Ada', 'ada-password'))
    await expectUnavailable(directoryAt(url, { startTls }).check('Ada', 'ada-password'))
  })

  it('is refused when the name of the server is not in its certificate', async () => {
    const url = slapd.ldaps.replace('127.0.0.1', '127.0.0.2')
    await expectUnavailable(directoryAt(url, { ca: slapd.ca }).check('Ada', 'ada-password'))
  })
})

describe('a directory is unavailable, soon and without harm, when it', () => {
  /** After the bind, whatever is sent in answer to the search. */
  const afterBind = (respond: (socket: Socket, id: number) => void) =>
    fakeDirectory((socket) =>
      socket.on('data', (data: Buffer) => {
        const { id, isBind } = requestOf(data)
        if (isBind) socket.write(answer(id, 0x61, 0))
        else respond(socket, id)
      }),
    )

  const tiny = Buffer.from('3005020101730000'.slice(0, 14), 'hex')

  it.concurrent.each<readonly [string, () => Promise<FakeDirectory>]>([
    ['closes after the bind', () => afterBind((socket) => socket.end())],
    ['stops answering after the bind', () => afterBind(() => {})],
    ['sends one byte at a time', () => fakeDirectory((socket) => void drip(socket))],
    ['announces four gigabytes', () => fakeDirectory((socket) => socket.write(Buffer.from('3084ffffffff02', 'hex')))],
    ['answers in HTTP', () => fakeDirectory((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))],
    ['answers with a broken message', () => fakeDirectory((socket) => socket.write(Buffer.from('30030201ff', 'hex')))],
    ['floods with tiny messages', () => afterBind((socket) => socket.write(Buffer.concat(Array(9362).fill(tiny))))],
    [
      'stops in the middle of an answer',
      () => afterBind((socket, id) => socket.write(found(id, `uid=Ada,${BASE}`, 'Ada'))),
    ],
    ['is busy', () => afterBind((socket, id) => socket.write(answer(id, 0x65, 51)))],
    ['answers a search with a bind response', () => afterBind((socket, id) => socket.write(answer(id, 0x61, 0)))],
  ])('%s', async (_case, start) => {
    const fake = await start()
    const directory = directoryAt(fake.url)
    await Promise.all(
      [directory.check('Ada', 'ada-password'), directory.find('Ada'), directory.list(10)].map(expectUnavailable),
    )
    await vi.waitUntil(() => fake.open() === 0, { timeout: 20_000, interval: 20 })
    expect(fake.connections()).toBe(3)
    await fake.stop()
  })

  async function drip(socket: Socket): Promise<void> {
    const message = Buffer.concat([Buffer.from([0x30, 0x7f]), Buffer.alloc(127, 1)])
    for (const byte of message) {
      if (socket.destroyed) return
      socket.write(Buffer.from([byte]))
      await setTimeout(100)
    }
  }

  it('L09 sends anything at all', async () => {
    let garbage: Buffer = Buffer.alloc(0)
    const fake = await fakeDirectory((socket) => socket.end(garbage))
    const messages = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => {
      const content = Buffer.from(bytes)
      return content.length % 2 ? content : Buffer.concat([Buffer.from([0x30, 0x81, content.length]), content])
    })
    const property = fc.asyncProperty(messages, async (bytes) => {
      garbage = bytes
      await expectUnavailable(directoryAt(fake.url).check('Ada', 'ada-password'))
    })
    await fc.assert(property, { numRuns: inFull(2000) })
    await fake.stop()
  })

  it('L10 refuses StartTLS, or sends more than its answer before TLS begins', async () => {
    for (const more of [answer(1, 0x78, 2), Buffer.concat([answer(1, 0x78, 0), Buffer.from('300c', 'hex')])]) {
      const server = await fakeDirectory((socket) => socket.on('data', () => socket.write(more)))
      await expectUnavailable(directoryAt(server.url, { startTls: true }).check('Ada', 'ada-password'))
      await server.stop()
    }
  })
})

describe('B05 in the default profile the answer does not depend on the store of the name while the directory', () => {
  const PASSWORD = 'correct horse'
  const silent = () => fakeDirectory(() => {})
  const garbage = () => fakeDirectory((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))

  async function stopped([, start]: (typeof IMPLEMENTATIONS)[number]) {
    const { ldap, stop } = await start()
    await stop()
    return { url: ldap, stop: async () => {} }
  }

  const PEOPLE = [
    ['a user of the database', 'alice', 'wrong'],
    ['a disabled user of the database', 'bob', PASSWORD],
    ['a user of the directory', 'Ada', 'ada-password'],
    ['nobody', 'eve', 'x'],
  ] as const

  let passwordHash = ''
  beforeAll(async () => {
    passwordHash = await hashPassword(PASSWORD)
  })

  /** Logins with Alice, and Bob who is disabled, in the database. */
  function loginsAt(url: string, limits = NO_LIMITS) {
    const alice: User = {
      id: 'a',
      username: 'alice',
      passwordHash,
      roles: ['ROLE_USER'],
      enabled: true,
      createdAt: new Date(0),
    }
    const users = new MemoryUsers(alice, { ...alice, id: 'b', username: 'bob', enabled: false })
    const signIn = createSignIn({
      accounts: eitherAccounts(databaseAccounts(users), directoryAccounts(directoryAt(url))),
      failures: createLoginFailures(new MemoryCounter(), limits, fixedClock()),
      log: recordingLog(),
      logins: recordingLogins(),
      metrics: recordingMetrics(),
    })
    return (username: string, password: string) =>
      signIn({ username, password, address: '192.0.2.1', method: 'token' }, 'Login', anyAccount)
  }

  it.each(PEOPLE)('answers garbage, by the number of its connections: %s', async (_, username, password) => {
    const { url, connections, stop } = await garbage()
    await expectUnavailable(loginsAt(url)(username, password))
    expect(connections()).toBe(1)
    await stop()
  })

  it('answers garbage, even when the name is locked', async () => {
    const { url, stop } = await garbage()
    const attempt = loginsAt(url, { ...NO_LIMITS, perUser: 2 })
    for (const _ of [1, 2]) await expectUnavailable(attempt('Ada', 'wrong'))
    await expect(attempt('Ada', 'wrong')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
    await stop()
  })

  it.concurrent.each<readonly [string, () => Promise<{ readonly url: string; stop(): unknown }>]>([
    ...IMPLEMENTATIONS.map((one) => [`is stopped (${one[0]})`, () => stopped(one)] as const),
    ['answers garbage', garbage],
    ['is too slow', silent],
  ])('%s', async (_case, start) => {
    const { url, stop } = await start()
    const attempt = loginsAt(url)
    await Promise.all(PEOPLE.map(([, username, password]) => expectUnavailable(attempt(username, password))))
    expect(await attempt('alice', PASSWORD)).toMatchObject({ username: 'alice' })
    await stop()
  })
})

describe('a user who is not allowed to log in', () => {
  /** Finds the user or nobody, and answers every bind but the service's with a code. */
  async function directoryThatFinds(isFound: boolean, code: number) {
    const binds: string[] = []
    const replyTo = (request: Buffer) => {
      const { id, isBind, isForAll } = requestOf(request)
      const hit = isFound || isForAll ? found(id, `uid=Ada,${BASE}`, 'Ada') : Buffer.alloc(0)
      if (!isBind) return Buffer.concat([hit, answer(id, 0x65, 0)])
      binds.push(request.toString('latin1'))
      return answer(id, 0x61, request.includes(SERVICE.dn) ? 0 : code)
    }
    const fake = await fakeDirectory((socket) => socket.on('data', (request) => socket.write(replyTo(request))))
    return { fake, binds, directory: directoryAt(fake.url) }
  }

  it.each([
    ['known, with a bind that fails', true, 49],
    ['unknown', false, 49],
    ['unknown, even if every bind succeeds', false, 0],
  ])('L11 is refused after as many connections and binds as any: %s', async (_, isFound, code) => {
    const { fake, binds, directory } = await directoryThatFinds(isFound, code)
    expect(await directory.check('Ada', 'their-password')).toBeUndefined()
    expect(fake.connections()).toBe(2)
    expect(binds).toHaveLength(2)
    expect(binds[1]?.includes('their-password')).toBe(isFound)
    await fake.stop()
  })

  it.each([49, 19, 32, 48, 53])(
    'has bad credentials when the code of the directory concerns the account: code %i',
    async (code) => {
      const { fake, directory } = await directoryThatFinds(true, code)
      expect(await directory.check('Ada', 'their-password')).toBeUndefined()
      await fake.stop()
    },
  )

  it.each([1, 2, 8, 10, 13, 51, 52, 80])(
    'gets an outage instead when the code concerns the directory itself: code %i',
    async (code) => {
      const { fake, directory } = await directoryThatFinds(true, code)
      await expectUnavailable(directory.check('Ada', 'their-password'))
      await fake.stop()
    },
  )
})

describe('the demo directory', () => {
  it('is back soon after a packet that ends it, and ends on request', async () => {
    const data = openDataFolder('memory')
    const port = await freePort()
    const { part, up } = startDirectory(port, data)
    await up
    const { LDAP_BIND_DN: dn, LDAP_BIND_PASSWORD: password } = DEMO_DIRECTORY
    const directory = directoryAt(`ldap://127.0.0.1:${port}`, { service: { dn, password } })
    expect(await directory.check('ldapunicode', 'pässwörd-密码')).toMatchObject({ roles: ['ROLE_USER'] })
    connect(port, '127.0.0.1')
      .on('error', () => {})
      .write(Buffer.from('3084ffffffff02', 'hex'))
    await vi.waitUntil(async () => !(await answersAt(directory)), { timeout: 20_000, interval: 5 })
    await vi.waitUntil(() => answersAt(directory), { timeout: 20_000, interval: 50 })
    await part.stop()
    await part.ended
    expect(await answersAt(directory)).toBe(false)
    data.close()
  })

  const answersAt = (directory: Directory) =>
    directory.find('ldapguest').then(
      (user) => user?.username === 'ldapguest',
      () => false,
    )
})

describe('a connection is never reused', () => {
  it('so that a restarted directory is available at once', async () => {
    const first = await startEmbedded(PEOPLE)
    const directory = directoryAt(first.ldap)
    expect(await directory.check('Ada', 'ada-password')).toBeDefined()
    await first.stop()
    await expectUnavailable(directory.check('Ada', 'ada-password'))
    const second = await startEmbedded(PEOPLE, first.port)
    expect(await directory.check('Ada', 'ada-password')).toBeDefined()
    await second.stop()
  })
})
