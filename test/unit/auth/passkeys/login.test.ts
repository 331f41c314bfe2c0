import { expect, it } from 'vitest'
import { passkeyLoginOptions } from '../../../../lib/auth/passkeys/login.ts'
import type { Deviation } from '../../../support/authenticator.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { ALICE, BOB, CAROL, passkeyWorld } from '../../../support/passkey-world.ts'

const MINUTE = 60_000
const BAD = { code: 'BAD_CREDENTIALS', details: { authType: 'Passkey', reason: 'Bad credentials' } }

async function setUp() {
  const clock = fixedClock()
  const world = passkeyWorld(clock)
  return { clock, ...world, ...(await world.register(ALICE)) }
}

it('a passkey begins a session of its account with its present roles, like any login', async () => {
  const { logIn, authenticator, accounts, parts, noted } = await setUp()
  accounts.set(ALICE.uid, { ...ALICE, roles: ['ROLE_ADMIN'] })
  const session = await logIn(authenticator)
  const user = { uid: 'id-1', username: 'Alice', authType: 'PASSKEY', principalType: 'DatabaseUser' }
  expect(session).toMatchObject({ ...user, roles: ['ROLE_ADMIN'] })
  expect(noted).toEqual(['id-1'])
  expect(parts.logins.kept).toEqual([['login.accepted', expect.objectContaining(user), '192.0.2.1']])
  expect(await parts.passkeys.list('id-1')).toMatchObject([{ signCount: 1, lastUsedAt: START }])
})

it.each([
  [-1, true],
  [0, true],
  [1, false],
])('a passkey logs in if its account ended passkeys %i ms after the login that made it: %s', async (after, isGood) => {
  const { logIn, authenticator, accounts } = await setUp()
  accounts.set(ALICE.uid, { ...ALICE, passkeysValidAfter: new Date(START.getTime() + after) })
  const outcome = await logIn(authenticator).catch(({ code }) => code)
  expect(outcome).toEqual(isGood ? expect.objectContaining({ uid: 'id-1' }) : 'BAD_CREDENTIALS')
})

it('the former session of the browser ends', async () => {
  const { logIn, authenticator, kept, parts } = await setUp()
  const { id } = await parts.sessions.start({ ...BOB, authType: 'FORM', principalType: 'DatabaseUser' })
  await logIn(authenticator, {}, id)
  expect([...kept.kept.values()].map(({ uid }) => uid)).toEqual(['id-1'])
})

it('an account of the directory logs in while the directory is in use for logins', async () => {
  const { register, logIn, parts } = await setUp()
  const { authenticator } = await register(CAROL)
  expect(await logIn(authenticator)).toMatchObject({ uid: CAROL.uid, principalType: 'DirectoryUser' })
  parts.stores.pop()
  await expect(logIn(authenticator)).rejects.toMatchObject(BAD)
})

it.each<[string, Deviation]>([
  ['of a page of another origin', { origin: 'https://evil.example' }],
  ['of a page without TLS', { origin: 'http://gatehouse.example:8443' }],
  ['for another host', { rpId: 'evil.example' }],
  ['of a user whom the authenticator did not verify', { isUnverified: true }],
  ['of another challenge', { challenge: 'A'.repeat(43) }],
  ['that is a registration', { type: 'webauthn.create' }],
  ['that names another account', { userHandle: Buffer.from(BOB.uid).toString('base64url') }],
])('Y01 an assertion %s is refused, and the refusal is recorded', async (_, deviation) => {
  const { logIn, authenticator, kept, parts } = await setUp()
  await expect(logIn(authenticator, deviation)).rejects.toMatchObject(BAD)
  expect(kept.kept.size).toBe(0)
  expect(parts.logins.kept).toEqual([['refused', expect.any(String), '192.0.2.1']])
  expect(await logIn(authenticator)).toMatchObject({ uid: 'id-1' })
})

it('Y02 an assertion logs in once, of several parallel ones as well', async () => {
  const { present, authenticator, parts } = await setUp()
  const { options, ticket } = await passkeyLoginOptions(parts)
  const credential = authenticator.get(options)
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => present(credential, ticket)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  await expect(present(credential, ticket)).rejects.toMatchObject(BAD)
})

it('Y02 the challenge of one browser is invalid in another', async () => {
  const { present, authenticator, parts } = await setUp()
  const [one, other] = [await passkeyLoginOptions(parts), await passkeyLoginOptions(parts)]
  await expect(present(authenticator.get(one.options), other.ticket)).rejects.toMatchObject(BAD)
  await expect(present(authenticator.get(one.options))).rejects.toMatchObject(BAD)
})

it.each([
  [5 * MINUTE - 1, true],
  [5 * MINUTE, false],
])('Y02 %i ms after the options an assertion logs in: %s', async (wait, isIn) => {
  const { clock, present, authenticator, parts } = await setUp()
  const { options, ticket } = await passkeyLoginOptions(parts)
  clock.advance(wait)
  const outcome = await present(authenticator.get(options), ticket).catch(({ code }) => code)
  expect(outcome).toEqual(isIn ? expect.objectContaining({ uid: 'id-1' }) : 'BAD_CREDENTIALS')
})

it.each([5, 4])(
  'Y03 after the counter 5, the counter %i is refused, because the authenticator was copied',
  async (signCount) => {
    const { logIn, authenticator } = await setUp()
    await logIn(authenticator, { signCount: 5 })
    await expect(logIn(authenticator, { signCount })).rejects.toMatchObject(BAD)
    expect(await logIn(authenticator, { signCount: 6 })).toBeDefined()
  },
)

it('an authenticator without a counter logs in repeatedly', async () => {
  const { logIn, authenticator } = await setUp()
  for (const signCount of [0, 0, 0]) expect(await logIn(authenticator, { signCount })).toBeDefined()
})

it('Y04 a removed passkey and a disabled or deleted account are refused', async () => {
  const { logIn, authenticator, accounts, parts, shown } = await setUp()
  accounts.delete(ALICE.uid)
  await expect(logIn(authenticator)).rejects.toMatchObject(BAD)
  accounts.set(ALICE.uid, ALICE)
  await parts.passkeys.remove(ALICE.uid, shown.id)
  await expect(logIn(authenticator)).rejects.toMatchObject(BAD)
})

it('Y05 after too many failures a valid passkey must wait as well, and other passkeys are not affected', async () => {
  const { clock, register, logIn, authenticator, parts } = await setUp()
  const { authenticator: other } = await register(BOB)
  const wrong = { challenge: 'A'.repeat(43) }
  for (let count = 0; count < 10; count++) await expect(logIn(authenticator, wrong)).rejects.toMatchObject(BAD)
  await expect(logIn(authenticator)).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' })
  expect(parts.logins.kept.at(-1)).toEqual(['throttled', '192.0.2.1'])
  expect(await logIn(other)).toBeDefined()
  clock.advance(10 * MINUTE)
  expect(await logIn(authenticator)).toBeDefined()
})

it('Y01 the log contains the cause of a refused assertion, without the challenge', async () => {
  const { logIn, authenticator, parts } = await setUp()
  await expect(logIn(authenticator, { challenge: 'A'.repeat(43) })).rejects.toMatchObject(BAD)
  await expect(logIn(authenticator, { origin: 'https://evil.example' })).rejects.toMatchObject(BAD)
  const reasons = parts.log.of('passkey refused').map(({ reason }) => reason)
  expect(reasons).toEqual([
    'Unexpected authentication response challenge …, expected …',
    'Unexpected authentication response origin …, expected …',
  ])
})
