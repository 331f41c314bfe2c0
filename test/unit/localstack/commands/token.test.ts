import { describe, expect, it } from 'vitest'
import { readTokenOrder } from '../../../../localstack/commands/token.ts'

const read = (line: string) => readTokenOrder(line === '' ? [] : line.split(' '))

describe('the options of a token', () => {
  it.each<[string, object]>([
    ['admin', { from: 'key', user: 'admin', role: 'ROLE_ADMIN', isExpired: false, isTampered: false }],
    ['ldapuser', { role: 'ROLE_USER' }],
    ['admin --role ROLE_USER', { role: 'ROLE_USER' }],
    ['eve --role ROLE_ADMIN --ttl 60', { user: 'eve', role: 'ROLE_ADMIN', ttlSeconds: 60 }],
    ['admin --iat 0 --exp 2026-01-01T00:00:00.5Z', { claims: { iat: 0, exp: 1_767_225_600 }, header: {} }],
    ['admin --aud= --kid other --alg=', { claims: { aud: undefined }, header: { kid: 'other', alg: undefined } }],
    ['admin --role=', { role: 'ROLE_ADMIN', claims: { role: undefined } }],
    ['admin --expired --tamper', { isExpired: true, isTampered: true }],
    ['eve --tamper --url https://api.example', { from: 'login', user: 'eve', url: new URL('https://api.example') }],
  ])('%s', (line, order) => {
    expect(read(line)).toMatchObject(order)
  })

  it.each([
    ['', 'Name one user'],
    ['a b', 'Name one user'],
    ['admin --fast', "Unknown option '--fast'"],
    ['eve', 'eve is no demo user with a role: name one with --role'],
    ['ldapguest', 'ldapguest is no demo user with a role: name one with --role'],
    ['admin --role ROOT', '--role must be ROLE_ADMIN or ROLE_USER'],
    ['admin --iat soon', '--iat must be a time of ISO 8601, or seconds since 1970'],
    ['admin --alg HS1', '--alg must be one of HS256, HS384, HS512, none,'],
    ['admin --jti 1 --url https://api.example', '--jti is for the key of the local run'],
    ['admin --ttl 0', '--ttl must be a whole number from 1 to 31536000'],
    ['admin --url api', '--url must be an http or https address'],
    [
      'admin --expired --url https://api.example',
      '--expired is for the key of the local run, not for the login of --url',
    ],
    ['admin --ttl 60 --url https://api.example', '--ttl is for the key of the local run, not for the login of --url'],
  ])('%j are invalid', (line, problem) => {
    expect(() => read(line)).toThrow(problem)
  })
})
