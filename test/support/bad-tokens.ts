import { claims, encode, forge, HEADER } from './forge.ts'

const now = () => Math.floor(Date.now() / 1000)
const replacePart = (token: string, index: number, part: string) =>
  token
    .split('.')
    .map((old, at) => (at === index ? part : old))
    .join('.')

const MALFORMED: readonly [string, () => string][] = [
  ['one part', () => 'nonsense'],
  ['four parts', () => `${forge()}.x`],
  ['spaces in it', () => forge().replace('.', ' .')],
  ['padding', () => `${forge()}=`],
  ['a header that is no JSON', () => replacePart(forge(), 0, encode('{'))],
  ['a payload that is a list', () => forge([1])],
  ['over 4,096 characters', () => forge(claims({ note: 'x'.repeat(4096) }))],
]
const UNSUPPORTED: readonly [string, () => string][] = [
  ['alg none', () => `${forge(claims(), { alg: 'none' }).split('.').slice(0, 2).join('.')}.`],
  ['alg None with a signature', () => forge(claims(), { alg: 'None' })],
  ['HS256 with the same key', () => forge(claims(), { alg: 'HS256' }, 'sha256')],
  ['RS256', () => forge(claims(), { alg: 'RS256' })],
  ['a crit header', () => forge(claims(), { ...HEADER, crit: ['b64'], b64: false })],
]
const FORGED: readonly [string, () => string][] = [
  ['a changed claim', () => replacePart(forge(), 1, encode(claims({ sub: 'eve' })))],
  ['no signature', () => replacePart(forge(), 2, '')],
  ['a short signature', () => forge().slice(0, -1)],
  ['another hash under alg HS512', () => forge(claims(), HEADER, 'sha256')],
  ['an unknown kid', () => forge(claims(), { ...HEADER, kid: 'other' })],
  ['a kid that is a path', () => forge(claims(), { ...HEADER, kid: '../../dev/null' })],
  ['an expired token whose signature is wrong', () => replacePart(forge(claims({ exp: 1 })), 2, 'A'.repeat(86))],
]
const CLAIMS: readonly [string, string, () => string][] = [
  ['MISSING_CLAIMS', 'no role', () => forge(claims({ role: undefined }))],
  ['MISSING_CLAIMS', 'no sub', () => forge(claims({ sub: undefined }))],
  ['MISSING_CLAIMS', 'no exp', () => forge(claims({ exp: undefined }))],
  ['MISSING_CLAIMS', 'no iat', () => forge(claims({ iat: undefined }))],
  ['INVALID_CLAIMS', 'an unknown role', () => forge(claims({ role: 'role_admin' }))],
  ['INVALID_CLAIMS', 'a list of roles', () => forge(claims({ role: ['ROLE_ADMIN'] }))],
  ['INVALID_CLAIMS', 'an empty sub', () => forge(claims({ sub: '' }))],
  ['INVALID_CLAIMS', 'exp as text', () => forge(claims({ exp: String(now() + 60) }))],
  ['INVALID_CLAIMS', 'exp of 1e400', () => forge(JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e400'))],
  ['INVALID_CLAIMS', 'another issuer', () => forge(claims({ iss: 'https://evil.example' }))],
  ['INVALID_CLAIMS', 'another audience', () => forge(claims({ aud: ['other'] }))],
  ['INVALID_CLAIMS', 'another typ', () => forge(claims(), { ...HEADER, typ: 'at+jwt' })],
  ['INVALID_CLAIMS', 'an unknown role on an expired token', () => forge(claims({ role: 'X', exp: 1 }))],
  ['NOT_YET_VALID', 'iat in the future', () => forge(claims({ iat: now() + 60 }))],
  ['NOT_YET_VALID', 'nbf in the future', () => forge(claims({ nbf: now() + 60 }))],
]

/** Tokens that no channel takes, with the status that each of them gets (auth-25 to auth-34). */
export const BAD_TOKENS: readonly (readonly [status: string, what: string, token: () => string])[] = [
  ['MISSING', 'Bearer without a token', () => ''],
  ...MALFORMED.map(([what, token]) => ['MALFORMED', what, token] as const),
  ...UNSUPPORTED.map(([what, token]) => ['UNSUPPORTED_ALGORITHM', what, token] as const),
  ...FORGED.map(([what, token]) => ['INVALID_SIGNATURE', what, token] as const),
  ...CLAIMS,
]
