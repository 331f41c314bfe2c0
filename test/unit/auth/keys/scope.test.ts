import { describe, expect, it } from 'vitest'
import { mayRead, readable, withinScope } from '../../../../lib/auth/keys/api-key.ts'
import type { EventFilter } from '../../../../lib/webhooks/operators/list.ts'

const BY_TYPE: EventFilter = { type: 'x' }
const ADMIN = {}
const EVERYTHING = { key: { id: 'k' } }
const SHOP = { key: { id: 'k', sources: ['shop', 'stripe'] } }
const REFUSAL = expect.objectContaining({
  code: 'KEY_OUT_OF_SCOPE',
  status: 403,
  details: { keyId: 'k', sources: ['shop', 'stripe'] },
})

describe('the scope of a key', () => {
  it.each([
    ['an admin reads any source', ADMIN, 'github', true],
    ['a key for all sources reads any', EVERYTHING, 'github', true],
    ['a key for some sources reads them', SHOP, 'stripe', true],
    ['but no other', SHOP, 'github', false],
    ['not one that every object inherits', SHOP, 'constructor', false],
  ])('%s', (_, viewer, source, expected) => {
    expect(mayRead(viewer, source)).toBe(expected)
  })

  it('an event of another source is refused with the scope of the key', () => {
    expect(readable(SHOP, { source: 'shop', eventId: '1' })).toEqual({ source: 'shop', eventId: '1' })
    expect(() => readable(SHOP, { source: 'github', eventId: '1' })).toThrow(REFUSAL)
    expect(() => readable(SHOP, {})).toThrow(REFUSAL)
    expect(readable(EVERYTHING, { source: 'github' })).toEqual({ source: 'github' })
  })
})

describe('a filter', () => {
  it('of a key for some sources finds only these', () => {
    expect(withinScope(SHOP, BY_TYPE)).toEqual({ type: 'x', source: ['shop', 'stripe'] })
    expect(withinScope(SHOP, { source: 'shop' })).toEqual({ source: 'shop' })
    expect(withinScope(SHOP, { source: ['stripe'] })).toEqual({ source: ['stripe'] })
  })

  it('that names another source is refused', () => {
    expect(() => withinScope(SHOP, { source: 'github' })).toThrow(REFUSAL)
    expect(() => withinScope(SHOP, { source: ['shop', 'github'] })).toThrow(REFUSAL)
  })

  it.each([[ADMIN], [EVERYTHING]])('of %j stays unchanged', (viewer) => {
    expect(withinScope(viewer, BY_TYPE)).toEqual({ type: 'x' })
    expect(withinScope(viewer, { source: 'github' })).toEqual({ source: 'github' })
  })
})
