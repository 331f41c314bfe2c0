import { describe, expect, it } from 'vitest'
import { isAddress } from '../../../../lib/webhooks/schemes/scheme.ts'

describe('a signed address', () => {
  it.each([
    ['http://127.0.0.1:3000/a', true],
    ['http://[::1]:3000/a', true],
    ['https://hooks.example.com', true],
    ['https://hooks.example.com/webhooks/shop?a=1', true],
    [' https://hooks.example.com/a', false],
    ['ftp://hooks.example.com/a', false],
    ['/webhooks/square', false],
  ])('is absolute: %j is, %s', (url, expected) => {
    expect(isAddress(url)).toBe(expected)
  })

  it.each(['{', '[{"eventId":1', '?a=1{', '?a="', ' ', '#'])('does not end with the beginning of a body: %j', (end) => {
    expect(isAddress(`https://hooks.example.com/webhooks/shop${end}`)).toBe(false)
  })
})
