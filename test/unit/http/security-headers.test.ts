import { expect, it } from 'vitest'
import { securityHeaders } from '../../../lib/http/security-headers.ts'

const REPLY = { statusCode: 302, headers: { location: '/' } }

const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  'x-xss-protection': '0',
}

it('H23 every answer has the security headers in addition to its own', () => {
  expect(securityHeaders(new URL('http://localhost:3000'))(REPLY)).toEqual({
    statusCode: 302,
    headers: { ...HEADERS, location: '/' },
  })
})

it('Strict-Transport-Security is sent on https only', () => {
  const { headers } = securityHeaders(new URL('https://gatehouse.example'))(REPLY)
  expect(headers).toMatchObject({ ...HEADERS, 'strict-transport-security': expect.stringMatching(/^max-age=\d{8}/) })
})
