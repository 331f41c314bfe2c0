import { describe, expect, it } from 'vitest'
import { verifiedCredentials } from '../../../lib/auth/accounts.ts'
import { fixedClock } from '../../support/fakes/clock.ts'

function setUp(seconds = 60) {
  const clock = fixedClock()
  const verified = verifiedCredentials(clock, seconds)
  verified.add('alice', 'right', { id: 'id-1', passwordHash: 'hash' })
  return { clock, verified }
}

describe('a right password', () => {
  it('is cached for its time', () => {
    const { clock, verified } = setUp()
    expect(verified.find('alice', 'right')?.passwordHash).toBe('hash')
    clock.advance(59_999)
    expect(verified.find('alice', 'right')?.passwordHash).toBe('hash')
    clock.advance(1)
    expect(verified.find('alice', 'right')).toBeUndefined()
  })

  it('K12 is not cached for longer after a clock jumps back by an hour', () => {
    const { clock, verified } = setUp()
    clock.advance(-3_600_000)
    expect(verified.find('alice', 'right')).toBeUndefined()
  })

  it.each([
    ['bob', 'right'],
    ['', 'aliceright'],
    ['alicer', 'ight'],
  ])('is not found under %j and %j', (username, password) => {
    expect(setUp().verified.find(username, password)).toBeUndefined()
  })

  it('is not cached at all with 0 seconds', () => {
    expect(setUp(0).verified.find('alice', 'right')).toBeUndefined()
  })

  it('is cached again', () => {
    const { clock, verified } = setUp()
    clock.advance(30_000)
    verified.add('alice', 'right', { id: 'id-1', passwordHash: 'new hash' })
    clock.advance(59_999)
    expect(verified.find('alice', 'right')?.passwordHash).toBe('new hash')
  })

  it('makes space for others: the oldest of a thousand is removed', () => {
    const { verified } = setUp()
    for (let user = 1; user < 1000; user += 1)
      verified.add(`user-${user}`, 'right', { id: 'id-1', passwordHash: 'hash' })
    expect(verified.find('alice', 'right')?.passwordHash).toBe('hash')
    verified.add('one too many', 'right', { id: 'id-1', passwordHash: 'hash' })
    expect(verified.find('alice', 'right')).toBeUndefined()
    expect(verified.find('user-1', 'right')?.passwordHash).toBe('hash')
    expect(verified.find('one too many', 'right')?.passwordHash).toBe('hash')
  })
})
