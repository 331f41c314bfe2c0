import { Buffer } from 'node:buffer'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { TokenKey } from '../../../lib/auth/jwt.ts'
import { createTokens, type Tokens } from '../../../lib/auth/token.ts'
import { ServiceError } from '../../../lib/errors.ts'
import { fixedClock, START } from '../../support/fakes/clock.ts'
import { FIRST_KEY, FOREIGN_KEY, HEADER, part, SECOND_KEY, signParts, signToken } from '../../support/fakes/jwt.ts'

const NOW = START.getTime() / 1000
const DAY = 86_400

/** The four claims that are sufficient (auth-23). */
const CLAIMS = { sub: 'alice', role: 'ROLE_ADMIN', iat: NOW, exp: NOW + DAY }
const GOOD = signToken(CLAIMS)
const [HEADER_PART = '', PAYLOAD_PART = '', SIGNATURE_PART = ''] = GOOD.split('.')

function tokensWith(keys: readonly TokenKey[] = [FIRST_KEY, SECOND_KEY], clock = fixedClock()): Tokens {
  return createTokens({ keys: { current: keys }, lifetimeSeconds: DAY, clock })
}

const tokens = tokensWith()

async function verify(token: string, by: Tokens = tokens) {
  return by.verify(token)
}

async function statusOf(token: string, by: Tokens = tokens): Promise<string> {
  try {
    await by.verify(token)
    return 'verified'
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.is('TOKEN_INVALID') || error.is('TOKEN_EXPIRED')) return error.details.tokenStatus
    return error.code
  }
}

function withClaims(changes: object): string {
  return signToken({ ...CLAIMS, ...changes })
}

function withHeader(changes: object): string {
  return signToken(CLAIMS, { ...HEADER, ...changes })
}

/** A payload as its JSON text, for what JSON.stringify would not write. */
function withText(from: string, to: string): string {
  return signToken(JSON.stringify(CLAIMS).replace(from, to))
}

/** With what a token has to have that names its key. */
const OURS = { ...CLAIMS, iss: 'gatehouse', aud: 'gatehouse' }

describe('a token', () => {
  it.each([
    ['with the four required claims and no iss, aud, jti, kid or typ', GOOD],
    ['that names the second key', signToken(OURS, { ...HEADER, kid: 'second' }, SECOND_KEY)],
    ['of the second key that names none', signToken(CLAIMS, HEADER, SECOND_KEY)],
    ['with our iss and aud', withClaims({ iss: 'gatehouse', aud: 'gatehouse' })],
    ['for several audiences, ours among them', withClaims({ aud: ['other', 'gatehouse'] })],
    ['that expires in a second', withClaims({ exp: NOW + 1 })],
    ['that expires in the last second of the year 9999', withClaims({ exp: 253_402_300_799 })],
    ['whose typ is spelled in another way', withHeader({ typ: 'application/jwt' })],
    ['whose typ is in small letters', withHeader({ typ: 'jwt' })],
    ['with unknown claims and header fields', signToken({ ...CLAIMS, a: 1 }, { ...HEADER, jku: 'http://x' })],
  ])('verifies %s', async (_, token) => {
    expect(await statusOf(token)).toBe('verified')
  })

  it('returns the user, the role and the expiry', async () => {
    expect(await verify(GOOD)).toEqual({
      username: 'alice',
      role: 'ROLE_ADMIN',
      issuedAt: START,
      expiresAt: new Date('2026-01-03T03:04:05.000Z'),
    })
  })
})

describe('tokenStatus MISSING', () => {
  it('is the answer to an empty token', async () => {
    expect(await statusOf('')).toBe('MISSING')
  })
})

describe('H12, J07, J08 tokenStatus MALFORMED', () => {
  it.each([
    ['two parts', `${HEADER_PART}.${PAYLOAD_PART}`],
    ['four parts', `${GOOD}.${SIGNATURE_PART}`],
    ['an empty header', `.${PAYLOAD_PART}.${SIGNATURE_PART}`],
    ['an empty payload', `${HEADER_PART}..${SIGNATURE_PART}`],
    ['followed by a newline', `${GOOD}\n`],
    ['padding', `${GOOD}==`],
    ['a letter of another alphabet', `${HEADER_PART}.${PAYLOAD_PART}.é${SIGNATURE_PART.slice(1)}`],
    ['a header that is not JSON', signToken(CLAIMS, '{')],
    ['a header that is a list', signToken(CLAIMS, [])],
    ['a header that is null', signToken(CLAIMS, 'null')],
    ['a payload that is a string', signToken('"alice"')],
    [
      'a payload behind a byte order mark (RFC 8259 section 8.1)',
      signParts(part(HEADER), part(Buffer.from('\ufeff{}'))),
    ],
    ['a payload that is not UTF-8', signParts(part(HEADER), part(Buffer.from('{"sub":"\xff"}', 'latin1')))],
    ['64 KiB', 'a'.repeat(65_536)],
    ['the JSON form of a JWS', JSON.stringify({ payload: PAYLOAD_PART, signature: SIGNATURE_PART })],
    ['the five parts of a JWE', `${HEADER_PART}.a.b.c.d`],
  ])('is the answer to %s', async (_, token) => {
    expect(await statusOf(token)).toBe('MALFORMED')
  })

  it('does not apply above 4,096 characters', async () => {
    const ofLength = (padding: number) => withClaims({ pad: 'x'.repeat(padding) })
    const lengths = Array.from({ length: 100 }, (_, index) => ofLength(2850 + index))
    const longest = lengths.findLast(({ length }) => length <= 4096) ?? ''
    const tooLong = lengths.find(({ length }) => length > 4096) ?? ''
    expect(longest.length).toBeGreaterThan(4090)
    expect([await statusOf(longest), await statusOf(tooLong)]).toEqual(['verified', 'MALFORMED'])
  })
})

describe('J01, J02, J07 tokenStatus UNSUPPORTED_ALGORITHM', () => {
  it.each([
    ['alg none without a signature', `${part({ alg: 'none' })}.${PAYLOAD_PART}.`],
    ['alg nOnE', withHeader({ alg: 'nOnE' })],
    ['alg HS256, correctly signed', signParts(part({ alg: 'HS256' }), PAYLOAD_PART, FIRST_KEY, 'sha256')],
    ['alg RS256', withHeader({ alg: 'RS256' })],
    ['no alg', signToken(CLAIMS, {})],
    ['an alg that is a list', withHeader({ alg: ['HS512'] })],
    ['a crit', withHeader({ crit: ['exp'] })],
    ['a crit that is null', withHeader({ crit: null })],
    ['an unencoded payload', withHeader({ crit: ['b64'], b64: false })],
  ])('is the answer to %s', async (_, token) => {
    expect(await statusOf(token)).toBe('UNSUPPORTED_ALGORITHM')
  })
})

describe('J03 tokenStatus INVALID_SIGNATURE', () => {
  it.each([
    ['an empty signature', `${HEADER_PART}.${PAYLOAD_PART}.`],
    [
      'a signature one byte short',
      `${HEADER_PART}.${PAYLOAD_PART}.${part(Buffer.from(SIGNATURE_PART, 'base64url').subarray(1))}`,
    ],
    ['another payload', `${HEADER_PART}.${part({ ...CLAIMS, sub: 'mallory' })}.${SIGNATURE_PART}`],
    ['another header', `${part({ ...HEADER, typ: 'JWT' })}.${PAYLOAD_PART}.${SIGNATURE_PART}`],
    ['another key', signToken(CLAIMS, HEADER, FOREIGN_KEY)],
    ['an unknown kid', withHeader({ kid: 'foreign' })],
    ['the kid of another key of the ring', withHeader({ kid: 'second' })],
    ['a kid that is null', withHeader({ kid: null })],
    [
      'a key within the token',
      signToken(CLAIMS, { ...HEADER, jwk: { kty: 'oct', k: part(FOREIGN_KEY.secret) } }, FOREIGN_KEY),
    ],
    ['a signature by HS256 under the name HS512', signParts(HEADER_PART, PAYLOAD_PART, FIRST_KEY, 'sha256')],
  ])('is the answer to %s', async (_, token) => {
    expect(await statusOf(token)).toBe('INVALID_SIGNATURE')
  })

  it('J08 is the answer to every other last character that decodes to the same signature', async () => {
    const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'].filter((last) => {
      const signature = `${SIGNATURE_PART.slice(0, -1)}${last}`
      return signature !== SIGNATURE_PART && part(Buffer.from(signature, 'base64url')) === SIGNATURE_PART
    })
    expect(others).toHaveLength(15)
    for (const last of others) expect(await statusOf(`${GOOD.slice(0, -1)}${last}`)).toBe('INVALID_SIGNATURE')
  })

  it('J08 is the answer to a signed payload that is not canonical', async () => {
    const spare = part(`${JSON.stringify(CLAIMS)}${' '.repeat(2 - (JSON.stringify(CLAIMS).length % 3))}`)
    const last = spare.at(-1) ?? ''
    const next = String.fromCharCode(last.charCodeAt(0) + 1)
    const twisted = `${spare.slice(0, -1)}${next}`
    expect(Buffer.from(twisted, 'base64url')).toEqual(Buffer.from(spare, 'base64url'))
    expect(await statusOf(signParts(HEADER_PART, twisted))).toBe('INVALID_SIGNATURE')
  })
})

describe('J06 tokenStatus MISSING_CLAIMS', () => {
  it.each(['sub', 'role', 'iat', 'exp'])('is the answer to a token without %s', async (claim) => {
    expect(await statusOf(withClaims({ [claim]: undefined }))).toBe('MISSING_CLAIMS')
  })

  it.each(['iss', 'aud'])('is the answer to a token that names our key and lacks %s', async (claim) => {
    const { [claim as 'iss']: _, ...others } = OURS
    expect(await statusOf(signToken(others, { ...HEADER, kid: 'first' }))).toBe('MISSING_CLAIMS')
    expect(await statusOf(signToken(others))).toBe('verified')
  })

  it('is the answer to a token without any claim', async () => {
    expect(await statusOf(signToken('{}'))).toBe('MISSING_CLAIMS')
  })

  it('is the answer to claims that only a prototype has', async () => {
    expect(await statusOf(signToken(`{"__proto__":${JSON.stringify(CLAIMS)}}`))).toBe('MISSING_CLAIMS')
  })
})

const TYPE = 'has a wrong type'
const ABSURD = 'is no time before the year 10000'
const ELSEWHERE = 'is not this service'

describe('J05, J06, J14 tokenStatus INVALID_CLAIMS', () => {
  it.each<[string, string, object]>([
    ['an unknown role', 'role of the token is unknown', { role: 'ROLE_ROOT' }],
    ['a list of roles', `role of the token ${TYPE}`, { role: ['ROLE_ADMIN'] }],
    ['an empty sub', 'sub of the token is empty', { sub: '' }],
    ['a sub that is a number', `sub of the token ${TYPE}`, { sub: 1 }],
    ['an empty uid', `uid of the token ${TYPE}`, { uid: '' }],
    ['a uid that is a number', `uid of the token ${TYPE}`, { uid: 1 }],
    ['an exp that is a string', `exp of the token ${TYPE}`, { exp: String(NOW + DAY) }],
    ['an exp in milliseconds', `exp of the token ${ABSURD}`, { exp: (NOW + DAY) * 1000 }],
    ['an iat before the epoch', `iat of the token ${ABSURD}`, { iat: -1 }],
    ['an nbf of the year 10000', `nbf of the token ${ABSURD}`, { nbf: 253_402_300_800 }],
    ['an iat that is a string', `iat of the token ${TYPE}`, { iat: String(NOW) }],
    // `iat` and `exp` are integers (auth-23).
    ['an exp with a fraction', `exp of the token ${TYPE}`, { exp: NOW + 60.5 }],
    ['an iat with a fraction', `iat of the token ${TYPE}`, { iat: NOW - 0.5 }],
    ['an nbf that is null', `nbf of the token ${TYPE}`, { nbf: null }],
    ['another iss', `iss of the token ${ELSEWHERE}`, { iss: 'elsewhere' }],
    ['an iss that is a list', `iss of the token ${TYPE}`, { iss: ['gatehouse'] }],
    ['another aud', `aud of the token ${ELSEWHERE}`, { aud: 'elsewhere' }],
    ['an aud with a number', `aud of the token ${TYPE}`, { aud: ['gatehouse', 1] }],
    ['an empty list of audiences', `aud of the token ${ELSEWHERE}`, { aud: [] }],
    ['the first of several faults', 'sub of the token is empty', { sub: '', role: 1, exp: '', iss: 1, aud: 1 }],
  ])('is the answer to %s: %s', async (_, tokenError, changes) => {
    await expect(verify(withClaims(changes))).rejects.toMatchObject({
      details: { tokenStatus: 'INVALID_CLAIMS', tokenError },
    })
  })

  it.each([
    ['an exp of 1e400', `exp of the token ${ABSURD}`, withText(`"exp":${NOW + DAY}`, '"exp":1e400')],
    ['an iat of -1e400', `iat of the token ${ABSURD}`, withText(`"iat":${NOW}`, '"iat":-1e400')],
    ['a typ other than JWT', 'typ of the token is not JWT', withHeader({ typ: 'at+jwt' })],
    ['a typ that only ends so', 'typ of the token is not JWT', withHeader({ typ: 'text/jwt' })],
    ['a typ that is null', 'typ of the token is not JWT', withHeader({ typ: null })],
  ])('is the answer to %s: %s', async (_, tokenError, token) => {
    await expect(verify(token)).rejects.toMatchObject({ details: { tokenStatus: 'INVALID_CLAIMS', tokenError } })
  })
})

describe('J05 tokenStatus EXPIRED', () => {
  it.each([
    ['at its exp', NOW],
    ['near the epoch', 1],
  ])('is the answer %s', async (_, exp) => {
    expect(await statusOf(withClaims({ iat: exp - 1, exp }))).toBe('EXPIRED')
  })

  it('carries expiredAt and currentTime', async () => {
    await expect(verify(withClaims({ iat: NOW - 60, exp: NOW - 30 }))).rejects.toMatchObject({
      code: 'TOKEN_EXPIRED',
      message: 'JWT token has expired',
      details: {
        tokenStatus: 'EXPIRED',
        expiredAt: '2026-01-02T03:03:35.000Z',
        currentTime: '2026-01-02T03:04:05.000Z',
      },
    })
  })
})

describe('tokenStatus NOT_YET_VALID', () => {
  it.each([
    ['iat', { iat: NOW + 1 }],
    ['nbf', { nbf: NOW + 1 }],
  ])('names %s', async (name, changes) => {
    const details = { tokenStatus: 'NOT_YET_VALID', tokenError: `${name} of the token is in the future` }
    await expect(verify(withClaims(changes))).rejects.toMatchObject({ details })
  })
})

describe('the statuses are checked in their order', () => {
  const EXPIRED = { iat: NOW - 60, exp: NOW - 30 }

  it.each([
    ['MALFORMED', 'a payload that is no object, alg none', signToken('1', { alg: 'none' })],
    ['UNSUPPORTED_ALGORITHM', 'alg none, unsigned, without claims', `${part({ alg: 'none' })}.${part({})}.`],
    ['INVALID_SIGNATURE', 'another key, expired', signToken({ ...CLAIMS, ...EXPIRED }, HEADER, FOREIGN_KEY)],
    ['INVALID_SIGNATURE', 'another key, without claims', signToken({}, HEADER, FOREIGN_KEY)],
    ['MISSING_CLAIMS', 'no role, empty sub, expired', withClaims({ ...EXPIRED, sub: '', role: undefined })],
    ['INVALID_CLAIMS', 'an unknown role, expired', withClaims({ ...EXPIRED, role: 'ROLE_ROOT' })],
    ['EXPIRED', 'expired, iat in the future', withClaims({ exp: NOW, iat: NOW + 60 })],
  ])('%s: %s', async (tokenStatus, _, token) => {
    expect(await statusOf(token)).toBe(tokenStatus)
  })
})

describe('J15 the answer to a bad token', () => {
  it.each([
    ['The Authorization header carries no token', ''],
    ['The token is not a signed JWT in compact form', 'a.b'],
    ['The token is longer than 4096 characters', `${'a'.repeat(4094)}.b.`],
    ['The token is not signed with HS512', withHeader({ alg: 'RS256' })],
    ['The token demands an extension (crit)', withHeader({ crit: ['b64'] })],
    ['The token names an unknown key (kid)', withHeader({ kid: 'other' })],
    ['JWT signature does not match locally computed signature', signToken(CLAIMS, HEADER, FOREIGN_KEY)],
    ['The token lacks iss, aud', withHeader({ kid: 'first' })],
    ['The token lacks sub, exp', withClaims({ sub: undefined, exp: undefined })],
  ])('names the cause: %s', async (tokenError, token) => {
    await expect(verify(token)).rejects.toMatchObject({ details: { tokenError } })
  })

  it('has a tokenError and nothing of the token', async () => {
    const answers = await Promise.all(
      ['', 's3cret', signToken({ ...CLAIMS, sub: 's3cret', role: 's3cret' })].map((token) =>
        verify(token).then(
          () => ({}),
          (error: ServiceError) => ({ ...error, message: error.message }),
        ),
      ),
    )
    expect(answers).toHaveLength(3)
    for (const answer of answers) {
      expect(answer).toMatchObject({ code: 'TOKEN_INVALID', details: { tokenError: expect.stringMatching(/.+/) } })
      expect(JSON.stringify(answer)).not.toContain('s3cret')
    }
  })
})

describe('an issued token', () => {
  it('carries sub, role, iat, exp, iss, aud and jti under the first key, with HS512', async () => {
    const [header = '', payload = '', signature = ''] = (await tokens.issue('alice', 'ROLE_USER')).split('.')
    expect(JSON.parse(Buffer.from(header, 'base64url').toString())).toEqual({ alg: 'HS512', typ: 'JWT', kid: 'first' })
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString())).toEqual({
      sub: 'alice',
      role: 'ROLE_USER',
      iat: NOW,
      exp: NOW + DAY,
      iss: 'gatehouse',
      aud: 'gatehouse',
      jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(signParts(header, payload)).toBe(`${header}.${payload}.${signature}`)
  })

  it('differs each time', async () => {
    expect(await tokens.issue('alice', 'ROLE_USER')).not.toBe(await tokens.issue('alice', 'ROLE_USER'))
  })

  it('K05 is verified with the present ring, and is refused after the removal of its key although it was cached', async () => {
    const keys = { current: [FIRST_KEY] }
    const own = createTokens({ keys, lifetimeSeconds: DAY, clock: fixedClock() })
    const token = await own.issue('alice', 'ROLE_USER')
    expect(await statusOf(token, own)).toBe('verified')
    keys.current = [SECOND_KEY, FIRST_KEY]
    expect(await statusOf(token, own)).toBe('verified')
    expect((await own.issue('alice', 'ROLE_USER')).split('.')[0]).not.toBe(token.split('.')[0])
    keys.current = [SECOND_KEY]
    expect(await statusOf(token, own)).toBe('INVALID_SIGNATURE')
  })

  it('counts from the full second', async () => {
    const clock = fixedClock(new Date('2026-01-02T03:04:05.999Z'))
    const own = tokensWith([FIRST_KEY], clock)
    expect(await verify(await own.issue('alice', 'ROLE_USER'), own)).toMatchObject({ issuedAt: START })
  })

  it('accepts any user name', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 256 }), async (name) => {
        expect((await verify(await tokens.issue(name, 'ROLE_USER'))).username).toBe(name)
      }),
    )
  })

  it('needs a ring with a key', async () => {
    expect(() => tokensWith([])).toThrow('the ring holds no key')
  })
})

describe('J16 a cached token', () => {
  it('is answered without a promise', async () => {
    const own = tokensWith()
    expect(own.verify(GOOD)).toBeInstanceOf(Promise)
    const first = await own.verify(GOOD)
    const again = own.verify(GOOD)
    expect(again).not.toBeInstanceOf(Promise)
    expect(again).toEqual(first)
  })

  it('still expires', async () => {
    const clock = fixedClock()
    const own = tokensWith([FIRST_KEY], clock)
    await own.verify(GOOD)
    clock.advance(DAY * 1000 - 1)
    expect(own.verify(GOOD)).toMatchObject({ username: 'alice' })
    clock.advance(1)
    expect(() => own.verify(GOOD)).toThrow(expect.objectContaining({ code: 'TOKEN_EXPIRED' }))
  })

  it('is identified by all of it, not by its end', async () => {
    const own = tokensWith()
    await own.verify(GOOD)
    const other = `${HEADER_PART}.${part({ ...CLAIMS, sub: 'mallory' })}.${SIGNATURE_PART}`
    expect(await statusOf(other, own)).toBe('INVALID_SIGNATURE')
  })

  it('is removed when it was refused', async () => {
    const own = tokensWith()
    const future = withClaims({ nbf: NOW + 1 })
    expect(await statusOf(future, own)).toBe('NOT_YET_VALID')
    const again = own.verify(future)
    expect(again).toBeInstanceOf(Promise)
    await expect(again).rejects.toMatchObject({ code: 'TOKEN_INVALID' })
  })

  it('is removed after a thousand others', async () => {
    const own = tokensWith()
    await own.verify(GOOD)
    for (let index = 0; index < 1000; index++) await own.verify(withClaims({ jti: String(index) }))
    expect(own.verify(GOOD)).toBeInstanceOf(Promise)
    expect(own.verify(withClaims({ jti: '999' }))).not.toBeInstanceOf(Promise)
  })

  it('stays when it is used among a thousand others', async () => {
    const own = tokensWith()
    await own.verify(GOOD)
    for (let index = 0; index < 1000; index++) {
      await own.verify(withClaims({ jti: String(index) }))
      expect(own.verify(GOOD)).not.toBeInstanceOf(Promise)
    }
  })
})

describe('only a signed token is accepted, and every other text throws only a refusal', () => {
  const character = fc.constantFrom(...'ABCXYZabcxyz019-_.=+/ \n\0é')

  it.each([
    ['signed JSON', fc.tuple(fc.json(), fc.json()).map(([header, payload]) => signToken(payload, header))],
    ['signed claims', fc.json().map((payload) => signToken(payload))],
  ])('%s', async (_, texts) => {
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        expect(await statusOf(text)).toMatch(
          /^(MISSING|MALFORMED|UNSUPPORTED_ALGORITHM|INVALID_SIGNATURE|MISSING_CLAIMS)$/,
        )
      }),
    )
  })

  it('J04 a token with any one bit changed', async () => {
    for (let bit = 0; bit < GOOD.length * 8; bit++) {
      const bytes = Buffer.from(GOOD)
      bytes.writeUInt8(bytes.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
      expect(await statusOf(bytes.toString('latin1'))).toMatch(/^(MALFORMED|UNSUPPORTED_ALGORITHM|INVALID_SIGNATURE)$/)
    }
  })

  it('a token with one character more or less', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(GOOD.length - 1), character, fc.boolean(), async (index, extra, isMore) => {
        const mutated = isMore
          ? `${GOOD.slice(0, index)}${extra}${GOOD.slice(index)}`
          : GOOD.slice(0, index) + GOOD.slice(index + 1)
        expect(await statusOf(mutated)).toMatch(/^(MALFORMED|UNSUPPORTED_ALGORITHM|INVALID_SIGNATURE)$/)
      }),
      { numRuns: 500 },
    )
  })
})

describe('J10 a clock that is wrong by a day', () => {
  const day = DAY * 1000

  it.each([
    ['a day ahead', day, 'EXPIRED'],
    ['a millisecond less ahead', day - 1, 'verified'],
    ['a millisecond behind', -1, 'NOT_YET_VALID'],
    ['a day behind', -day, 'NOT_YET_VALID'],
  ])('changes only whether a token is expired or not yet valid: %s', async (_, milliseconds, tokenStatus) => {
    const clock = fixedClock()
    clock.advance(milliseconds)
    const there = tokensWith([FIRST_KEY, SECOND_KEY], clock)
    expect(await statusOf(GOOD, there)).toBe(tokenStatus)
    expect(await statusOf(signToken(CLAIMS, HEADER, FOREIGN_KEY), there)).toBe('INVALID_SIGNATURE')
    expect(await statusOf(withClaims({ role: 'ROLE_ROOT' }), there)).toBe('INVALID_CLAIMS')
    expect(await statusOf(await there.issue('alice', 'ROLE_USER'), there)).toBe('verified')
  })
})

describe('J03 keys in a token or at an address of it', () => {
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it.each([
    ['jku', { jku: 'https://evil.example/keys' }],
    ['jwk', { jwk: { kty: 'oct', k: part(FOREIGN_KEY.secret) } }],
  ])('%s is ignored, and nothing is fetched', async (_, fields) => {
    const fetched = vi.spyOn(globalThis, 'fetch')
    expect(await statusOf(withHeader(fields))).toBe('verified')
    expect(await statusOf(signToken(CLAIMS, { ...HEADER, ...fields }, FOREIGN_KEY))).toBe('INVALID_SIGNATURE')
    expect(fetched).not.toHaveBeenCalled()
  })

  it.each(['https://evil.example/key', '../../dev/null'])(
    'a kid of %s matches no key, and nothing is fetched',
    async (kid) => {
      const fetched = vi.spyOn(globalThis, 'fetch')
      expect(await statusOf(withHeader({ kid }))).toBe('INVALID_SIGNATURE')
      expect(fetched).not.toHaveBeenCalled()
    },
  )
})
