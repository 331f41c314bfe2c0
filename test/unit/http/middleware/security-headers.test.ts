import { expect, it } from 'vitest'
import { constantHeaders } from '../../../../lib/http/middleware/security-headers.ts'
import { SECURED } from '../../../support/secured.ts'

const REPLY = { statusCode: 302, headers: { location: '/' } }

it('H23 every answer has the security headers in addition to its own, and over http none for https', () => {
  expect(constantHeaders(new URL('http://localhost:3000'))(REPLY)).toEqual({
    statusCode: 302,
    headers: { ...SECURED, location: '/' },
  })
})
