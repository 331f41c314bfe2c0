import { describe, expect, it } from 'vitest'
import { checkPassword, hashPassword } from '../../../lib/auth/password.ts'
import { countedArgon2, FULL_COST } from '../../support/fakes/accounts.ts'

/** Made by the reference implementation, libargon2. */
const KNOWN = '$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$rk2Mi3E4dgRMg0fHaYaptWVZRKqs//6b6k3/nntqGJk'
const OUTDATED = '$argon2id$v=19$m=8192,t=1,p=1$MDEyMzQ1Njc4OWFiY2RlZg$64zw4y6hGNSGW1HTKDajc74EIkJpCJ+AUBXDspyrFEU'

/** Each with one parameter that is not the current one, and tags made by OpenSSL. */
const LESS_MEMORY = '$argon2id$v=19$m=8192,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$O8OCkAvhpQhmReVkNUjdbJd0jPyUmAqlZerzPg8/0Ps'
const MORE_PASSES = '$argon2id$v=19$m=19456,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg$Z+4B9w+00xHbpvsBogUOLW8mqS7cIBnA4SH0xM0X0rA'
const MORE_LANES = '$argon2id$v=19$m=19456,t=2,p=2$MDEyMzQ1Njc4OWFiY2RlZg$AcRZNYGqbaEP4Y1jZzc3f/o18jMXJ2GeucVdFTf/m1c'

describe('hashPassword', () => {
  it('returns a PHC string of argon2id with 19456 KiB, t=2, p=1 and a fresh salt', async () => {
    const [one, other] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
    expect(one).not.toBe(other)
    expect(await checkPassword('correct horse', one)).toBe('right')
  })
})

describe('checkPassword', () => {
  it.each([
    ['the right password', 'correct horse', KNOWN, 'right'],
    ['a wrong password', 'Correct horse', KNOWN, 'wrong'],
    ['a wrong password under other parameters', 'wrong horse', OUTDATED, 'wrong'],
    ['the right password under another memory', 'correct horse', LESS_MEMORY, 'right-but-outdated'],
    ['the right password under other passes', 'correct horse', MORE_PASSES, 'right-but-outdated'],
    ['the right password under other lanes', 'correct horse', MORE_LANES, 'right-but-outdated'],
    ['any password without a user', 'correct horse', undefined, 'wrong'],
  ])('%s', async (_, password, stored, verdict) => {
    expect(await checkPassword(password, stored)).toBe(verdict)
  })

  it.each([
    ['a wrong password', 'wrong', KNOWN],
    ['an unknown user', 'wrong', undefined],
    ['an over-long password', 'x'.repeat(1025), KNOWN],
  ])('B04 costs the same for %s', async (_, password, stored) => {
    const { check, asked } = countedArgon2()
    await check(password, stored)
    expect(asked).toEqual([FULL_COST])
  })

  it('B02 treats the two Unicode forms of a letter alike', async () => {
    const stored = await hashPassword('pa\u0301ss w\u00f6rd')
    expect(await checkPassword('p\u00e1ss wo\u0308rd', stored)).toBe('right')
    expect(await checkPassword('pass word', stored)).toBe('wrong')
  })

  it('B03 uses all of 1,024 bytes', async () => {
    const stored = await hashPassword('é'.repeat(512))
    expect(await checkPassword('é'.repeat(512), stored)).toBe('right')
    expect(await checkPassword(`${'é'.repeat(511)}è`, stored)).toBe('wrong')
  })

  it('never truncates: 1,025 bytes equal neither their beginning nor an empty password', async () => {
    const [ofBeginning, ofEmpty] = await Promise.all([hashPassword('x'.repeat(1024)), hashPassword('')])
    expect(await checkPassword('x'.repeat(1025), ofBeginning)).toBe('wrong')
    expect(await checkPassword('x'.repeat(1025), ofEmpty)).toBe('wrong')
    expect(await checkPassword('', ofEmpty)).toBe('right')
  })

  it('counts the bytes as they were sent, before any normalization', async () => {
    const stored = await hashPassword('\u00e9'.repeat(512))
    expect(await checkPassword('e\u0301'.repeat(341), await hashPassword('\u00e9'.repeat(341)))).toBe('right')
    expect(await checkPassword('e\u0301'.repeat(512), stored)).toBe('wrong')
  })

  it.each([
    ['not a PHC string', 'correct horse'],
    ['another version', KNOWN.replace('v=19', 'v=16')],
    ['a shortened hash', KNOWN.slice(0, -30)],
    ['a second line', `${KNOWN}\n`],
    ['too much memory', KNOWN.replace('m=19456', 'm=262145')],
    ['too many passes', KNOWN.replace('t=2', 't=17')],
    ['too many lanes', KNOWN.replace('p=1', 'p=17')],
    ['no pass', KNOWN.replace('t=2', 't=0')],
  ])('throws for a corrupt stored hash: %s', async (_, stored) => {
    await expect(checkPassword('correct horse', stored)).rejects.toThrow(
      /^a stored password hash is no argon2id PHC string within bounds$|out of range/,
    )
  })

  it.each([
    ['16 passes', 'm=64,t=16,p=1'],
    ['16 lanes', 'm=128,t=1,p=16'],
  ])('accepts a stored hash of as much as %s', async (_, parameters) => {
    expect(await checkPassword('wrong', KNOWN.replace('m=19456,t=2,p=1', parameters))).toBe('wrong')
  })

  it('never hashes an over-long password', async () => {
    await expect(hashPassword('x'.repeat(1025))).rejects.toThrow('beyond its bound')
  })

  it('reveals nothing of a corrupt hash', async () => {
    await expect(checkPassword('correct horse', 'plain s3cret')).rejects.not.toThrow(/s3cret/)
  })
})
