import { expect, it } from 'vitest'
import { deletePasskey, listPasskeys } from '../../../../lib/auth/passkeys/passkey.ts'
import { registerPasskey, registrationOptions } from '../../../../lib/auth/passkeys/registration.ts'
import { Authenticator, type Deviation } from '../../../support/authenticator.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'
import { ALICE, BOB, passkeyWorld } from '../../../support/passkey-world.ts'

const MINUTE = 60_000
const ORIGIN = 'https://gatehouse.example:8443'
const WRONG = { code: 'VALIDATION_FAILED', details: { validationErrors: [{ field: 'credential' }] } }

function setUp() {
  const clock = fixedClock()
  return { clock, ...passkeyWorld(clock) }
}

it('the options request a discoverable passkey of the host, with user verification, and exclude those of the account', async () => {
  const { parts, ownerOf, register } = setUp()
  const { authenticator } = await register(ALICE)
  const { challenge, ...options } = await registrationOptions(parts, ownerOf(ALICE))
  expect(Buffer.from(challenge, 'base64url')).toHaveLength(32)
  expect(options).toMatchObject({
    rp: { id: 'gatehouse.example' },
    user: { id: Buffer.from('id-1').toString('base64url'), name: 'Alice' },
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    attestation: 'none',
    excludeCredentials: [{ type: 'public-key', id: authenticator.id }],
  })
})

it('a passkey is shown with its name, the newest first, until it is removed by its owner', async () => {
  const { clock, parts, register } = setUp()
  const { shown: laptop } = await register(ALICE)
  expect(laptop).toEqual({ id: expect.stringMatching(/^[\da-f]{64}$/), name: 'laptop', createdAt: START.toISOString() })
  clock.advance(MINUTE)
  const { shown: phone } = await register(ALICE, {}, 'phone')
  const names = async () => (await listPasskeys(parts.passkeys, ALICE.uid)).passkeys.map(({ name }) => name)
  expect(await names()).toEqual(['phone', 'laptop'])
  for (const [uid, id] of [
    [BOB.uid, phone.id],
    [ALICE.uid, 'no passkey'],
    [ALICE.uid, 'a'.repeat(64)],
  ] as const)
    await expect(deletePasskey(parts.passkeys, uid, id)).rejects.toMatchObject({ code: 'PASSKEY_NOT_FOUND' })
  await deletePasskey(parts.passkeys, ALICE.uid, phone.id)
  expect(await names()).toEqual(['laptop'])
})

it.each<[string, Deviation]>([
  ['of a page of another origin', { origin: 'https://evil.example' }],
  ['of a user whom the authenticator did not verify', { isUnverified: true }],
  ['of another challenge', { challenge: 'A'.repeat(43) }],
])('Y01 a credential %s is refused', async (_, deviation) => {
  const { register, parts } = setUp()
  await expect(register(ALICE, deviation)).rejects.toMatchObject(WRONG)
  expect(await parts.passkeys.list(ALICE.uid)).toEqual([])
})

it('Y02 a challenge is valid once, for the session that requested it, for five minutes', async () => {
  const { clock, parts, ownerOf } = setUp()
  const create = async (account = ALICE) =>
    new Authenticator(ORIGIN).create(await registrationOptions(parts, ownerOf(account)))
  const register = (credential: Awaited<ReturnType<typeof create>>, account = ALICE) =>
    registerPasskey(parts, ownerOf(account), { name: 'laptop', credential })

  const used = await create()
  await register(used)
  await expect(register(used)).rejects.toMatchObject(WRONG)

  const ofAlice = await create()
  await create(BOB)
  await expect(register(ofAlice, BOB)).rejects.toMatchObject(WRONG)

  const late = await create()
  clock.advance(5 * MINUTE)
  await expect(register(late)).rejects.toMatchObject(WRONG)
  expect(await parts.passkeys.list(ALICE.uid)).toHaveLength(1)
})

it('a passkey that the account has is not added again', async () => {
  const { parts, ownerOf, register } = setUp()
  const { authenticator } = await register(ALICE)
  const credential = authenticator.create(await registrationOptions(parts, ownerOf(ALICE)))
  await expect(registerPasskey(parts, ownerOf(ALICE), { name: 'again', credential })).rejects.toMatchObject(WRONG)
})

it('Y06 a user who adds a copy of the public part of a passkey gets no access to its account', async () => {
  const { parts, ownerOf, register, logIn } = setUp()
  const { authenticator } = await register(ALICE)
  const copy = authenticator.create({ ...(await registrationOptions(parts, ownerOf(BOB))), user: { id: 'aWQtMQ' } })
  await registerPasskey(parts, ownerOf(BOB), { name: 'copy', credential: copy })
  expect(await logIn(authenticator)).toMatchObject({ uid: ALICE.uid })
})

it('an account has ten passkeys at most, in parallel as well', async () => {
  const { parts, ownerOf, register } = setUp()
  for (let count = 0; count < 9; count++) await register(ALICE)
  const sessions = [1, 2, 3].map((number) => ({ ...ownerOf(ALICE), sessionKey: `session ${number}` }))
  const outcomes = await Promise.allSettled(
    sessions.map(async (owner) => {
      const credential = new Authenticator(ORIGIN).create(await registrationOptions(parts, owner))
      return registerPasskey(parts, owner, { name: 'late', credential })
    }),
  )
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await parts.passkeys.list(ALICE.uid)).toHaveLength(10)
  await expect(register(ALICE)).rejects.toMatchObject({ code: 'PASSKEY_LIMIT_REACHED' })
})

it('an account of an identity provider can have none', async () => {
  const { register } = setUp()
  const account = { ...ALICE, uid: 'google:1' }
  await expect(register(account)).rejects.toMatchObject({ code: 'PASSKEYS_ELSEWHERE', status: 403 })
})
