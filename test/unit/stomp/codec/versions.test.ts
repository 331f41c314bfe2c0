import { describe, expect, it } from 'vitest'
import { negotiateVersion } from '../../../../lib/stomp/codec/frame.ts'

describe('STOMP 1.2, "Protocol Negotiation"', () => {
  it.each([
    ['1.0,1.1,1.2', '1.2'],
    [' 1.0 , 1.1 ', '1.1'],
    ['1.0', undefined],
    ['1.1,2.0', '1.1'],
    [undefined, undefined],
    ['2.0', undefined],
    ['1.2.0', undefined],
  ])('accept-version %s leads to %s', (accepted, version) => {
    expect(negotiateVersion(accepted)).toBe(version)
  })
})
