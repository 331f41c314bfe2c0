import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../../infra/description/openapi.ts'
import { describedBy } from '../../support/described.ts'
import { SECURED } from '../../support/secured.ts'

const HEADERS = { ...SECURED, 'content-type': 'application/json; charset=utf-8' }

/** As the service answered. */
const LOGIN = {
  status: 200,
  headers: HEADERS,
  json: {
    token: 'eyJhbGciOiJIUzUxMiJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJl',
    username: 'admin',
    role: 'ROLE_ADMIN',
    message: 'Login successful - use this JWT token for authenticated requests',
    usage: 'Add header: Authorization: Bearer <ACCESS_TOKEN>',
  },
}

const judge = describedBy(openApiDocument())
const faultsOf = (answer: { status: number; headers: Record<string, string>; json: object }) =>
  judge('POST', '/api/auth/login', { ...answer, text: JSON.stringify(answer.json) })

describe('drift of an answer from its description', () => {
  it('is not found in an answer that matches', () => {
    expect(faultsOf(LOGIN)).toEqual([])
  })

  it.each([
    ['an undeclared field', { json: { ...LOGIN.json, extra: 1 } }, 'additional properties'],
    ['a missing field', { json: { ...LOGIN.json, token: undefined } }, 'token'],
    ['an undeclared status', { status: 201 }, '201 is not described'],
    ['another media type', { headers: { ...HEADERS, 'content-type': 'text/html' } }, 'the media type is text/html'],
    ['an undeclared header', { headers: { ...HEADERS, 'x-powered-by': 'x' } }, 'x-powered-by is not'],
    ['a missing security header', { headers: { 'content-type': 'application/json' } }, 'Cache-Control is missing'],
  ])('is found: %s', (_, change, fault) => {
    expect(faultsOf({ ...LOGIN, ...change }).join()).toContain(fault)
  })
})
