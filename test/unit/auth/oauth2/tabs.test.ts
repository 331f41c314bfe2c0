import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dropTransaction,
  keepTransaction,
  newState,
  slotOf,
  tabsOf,
  takeSlot,
} from '../../../../lib/auth/oauth2/tabs.ts'

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
