import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { EncryptJWT } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  createTransactions,
  dropTransaction,
  keepTransaction,
  newState,
  slotOf,
  type Transaction,
  tabsOf,
  takeSlot,
} from '../../../../lib/auth/oauth2/transaction.ts'
import { anyText } from '../../../support/any-text.ts'
import { fixedClock, START } from '../../../support/fakes/clock.ts'

const KEY = randomBytes(32)
const TRANSACTION = { registrationId: 'google', state: '1s', nonce: 'n', codeVerifier: 'v', returnTo: '/x' }

const transactionsWith = (keys: readonly Uint8Array[] = [KEY], clock = fixedClock()) =>
  createTransactions({ current: keys }, clock)

describe('O10 a transaction in its cookie', () => {
  it('is restored from its seal with any content', async () => {
    const transactions = transactionsWith()
    const text = anyText({ maxLength: 80 })
    const any = fc.record<Transaction>({
      registrationId: text,
      state: text,
      nonce: text,
      codeVerifier: text,
      returnTo: text,
    })
    await fc.assert(
      fc.asyncProperty(any, async (transaction) => {
        const sealed = await transactions.seal(transaction)
        expect(sealed).toMatch(/^[\w.-]+$/)
        expect(await transactions.open(sealed)).toEqual(transaction)
      }),
      { numRuns: 100 },
    )
  })

  it('reveals nothing of itself and differs each time', async () => {
    const transactions = transactionsWith()
    const [first, second] = await Promise.all([transactions.seal(TRANSACTION), transactions.seal(TRANSACTION)])
    expect(first).not.toBe(second)
    expect(Buffer.from(first, 'base64url').toString('latin1')).not.toContain('google')
  })

  it('is refused after a change of a single byte', async () => {
    const transactions = transactionsWith()
    const sealed = await transactions.seal(TRANSACTION)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.'
    const change = fc.tuple(fc.nat(sealed.length - 1), fc.constantFrom(...alphabet))
    await fc.assert(
      fc.asyncProperty(change, async ([index, character]) => {
        const changed = sealed.slice(0, index) + character + sealed.slice(index + 1)
        const opened = await transactions.open(changed)
        if (bytesOf(changed) === bytesOf(sealed)) expect([undefined, TRANSACTION]).toContainEqual(opened)
        else expect(opened).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

  it('is refused for any other text', async () => {
    const transactions = transactionsWith()
    for (const text of ['', 'x', 'x'.repeat(1_000_000)]) expect(await transactions.open(text)).toBeUndefined()
  })

  it('O11 expires after ten minutes', async () => {
    const clock = fixedClock()
    const transactions = transactionsWith([KEY], clock)
    const sealed = await transactions.seal(TRANSACTION)
    clock.advance(599_000)
    expect(await transactions.open(sealed)).toEqual(TRANSACTION)
    clock.advance(1000)
    expect(await transactions.open(sealed)).toBeUndefined()
  })

  it('K05 survives a rotation of the sealing key, and not its removal', async () => {
    const sealed = await transactionsWith().seal(TRANSACTION)
    expect(await transactionsWith([randomBytes(32), KEY]).open(sealed)).toEqual(TRANSACTION)
    expect(await transactionsWith([randomBytes(32)]).open(sealed)).toBeUndefined()
  })

  it('is refused when it is longer than the limit of a cookie: 2,048 characters', async () => {
    const transactions = transactionsWith()
    const sealed = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        transactions.seal({ ...TRANSACTION, returnTo: 'x'.repeat(1350 + index) }),
      ),
    )
    const opened = await Promise.all(sealed.map(async (text) => [text.length, await transactions.open(text)] as const))
    expect(opened.map(([length]) => length)).toContain(2048)
    for (const [length, transaction] of opened)
      expect([length, transaction !== undefined]).toEqual([length, length <= 2048])
  })

  it.each<[string, object, (token: EncryptJWT) => EncryptJWT]>([
    ['another audience', TRANSACTION, (token) => token.setAudience('session').setExpirationTime(in5Minutes)],
    ['no end', TRANSACTION, (token) => token.setAudience('oauth2-tx')],
    ['another shape', { state: 1 }, (token) => token.setAudience('oauth2-tx').setExpirationTime(in5Minutes)],
  ])('is refused with %s, even under our key', async (_, claims, complete) => {
    const token = complete(new EncryptJWT({ ...claims }).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' }))
    expect(await transactionsWith().open(await token.encrypt(KEY))).toBeUndefined()
  })
})

const in5Minutes = new Date(START.getTime() + 300_000)

/** The last character of a part may hold bits that belong to no byte. */
function bytesOf(sealed: string): string {
  return sealed
    .split('.')
    .map((part) => Buffer.from(part, 'base64url').toString('hex'))
    .join('.')
}

function tabsAfter(slot: string, tabs: string): string {
  return keepTransaction(slot, 'sealed', tabs).find(({ name }) => name === 'oauth2_tabs')?.value ?? ''
}

describe('the slots of pending logins', () => {
  it('are all used before one is reused, and then the oldest is reused', () => {
    let tabs = ''
    const taken: string[] = []
    for (let login = 0; login < 20; login++) {
      const slot = takeSlot(tabs)
      taken.push(slot)
      tabs = tabsAfter(slot, tabs)
    }
    expect(new Set(taken.slice(0, 8)).size).toBe(8)
    expect(taken.slice(8)).toEqual(taken.slice(0, 12))
    expect(tabs).toHaveLength(8)
  })

  it('number eight, whatever the cookie of the browser contains', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[0-9]{0,20}$/)), (tabs) => {
        const slot = takeSlot(tabs)
        expect(slot).toMatch(/^[0-7]$/)
        expect(tabsAfter(slot, tabs)).toMatch(/^[0-7]{1,8}$/)
        expect(slotOf(newState(slot))).toBe(slot)
      }),
    )
  })

  it('are in the state, together with 256 random bits', () => {
    expect(newState('3')).toMatch(/^3[\w-]{43}$/)
    expect(newState('3')).not.toBe(newState('3'))
    expect(slotOf('')).toBeUndefined()
    expect(slotOf('9x')).toBeUndefined()
  })

  it('are unknown to a browser without the cookie', () => expect(tabsOf(new Map())).toBe(''))
})

describe('the cookies of a pending login', () => {
  it('are its transaction and the order of the slots, for ten minutes', () => {
    expect(keepTransaction('3', 'sealed', '01')).toEqual([
      { name: 'oauth2_tx_3', value: 'sealed', maxAge: 600 },
      { name: 'oauth2_tabs', value: '301', maxAge: 600 },
    ])
  })

  it('lose the transaction after its use', () => {
    expect(dropTransaction('3')).toEqual([{ name: 'oauth2_tx_3', maxAge: 0 }])
  })

  it.each([
    ['the slot again', '3', '013', '301'],
    ['a slot twice', '3', '011', '301'],
    ['an invalid slot', '3', '0x9 1', '301'],
    ['more than the maximum', '3', '0000000012', '30'],
  ])('contain each slot once, the latest first, although the cookie is %s', (_, slot, tabs, order) => {
    expect(tabsAfter(slot, tabs)).toBe(order)
  })
})
