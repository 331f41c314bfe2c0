import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod/mini'
import { ENDPOINTS } from '../../../infra/endpoints.ts'
import { newReplay } from '../../../lib/contract/requests/replays.ts'
import { newUser } from '../../../lib/contract/requests/users.ts'
import type { ValidationError } from '../../../lib/errors.ts'
import { json, rejectedValue } from '../../../lib/http/json.ts'
import { readInput } from '../../../lib/http/middleware/validate.ts'
import { httpEvent } from '../../support/fakes/http.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
const anything = json(z.unknown())
const user = json(newUser)

type Refusal = { code: string; details?: { validationErrors: readonly ValidationError[] } }

async function read(reader: typeof anything, body: string | Buffer, headers: Record<string, string> = JSON_TYPE) {
  try {
    return { value: readInput(reader, httpEvent({ method: 'POST', headers, body })) }
  } catch (error) {
    const { code, details } = error as Refusal
    return { code, errors: details?.validationErrors }
  }
}

describe('a JSON body', () => {
  it.each(['application/json', 'application/vnd.api+json'])('is parsed with the content type %s', async (type) => {
    expect(await read(anything, '{"a":"é"}', { 'content-type': type })).toEqual({ value: { a: 'é' } })
  })

  it('H17 is parsed once at most, and never when it is nested deeper than 100', async () => {
    const parse = vi.spyOn(JSON, 'parse')
    expect(await read(anything, '['.repeat(100_000))).toMatchObject({ code: 'VALIDATION_FAILED' })
    expect(parse).not.toHaveBeenCalled()
    await read(anything, `[${'9'.repeat(1_000_000)}]`)
    expect(parse).toHaveBeenCalledOnce()
    parse.mockRestore()
  })

  it('that is absent has the default of the endpoint', async () => {
    const optional = json(z.unknown(), { absent: { a: 1 } })
    expect(await read(optional, '', {})).toEqual({ value: { a: 1 } })
    expect(await read(optional, '{"a":2}')).toEqual({ value: { a: 2 } })
    expect((await read(optional, '{"a":2}', {})).code).toBe('MEDIA_TYPE_UNSUPPORTED')
  })

  it.each<[string, Record<string, string>]>([
    ['no content type', {}],
    ['a type with only the same beginning', { 'content-type': 'application/jsonp' }],
  ])('is 415 with %s', async (_, headers) => {
    expect((await read(anything, '{}', headers)).code).toBe('MEDIA_TYPE_UNSUPPORTED')
  })

  it.each([
    ['nothing', ''],
    ['half of an object', '{'],
    ['a byte order mark', '\ufeff{}'],
    ['plain text', 's3cret'],
  ])('is 400 when it is malformed: %s', async (_, body) => {
    const { code, errors } = await read(anything, body)
    expect([code, errors]).toEqual([
      'VALIDATION_FAILED',
      [{ field: 'body', message: 'must be JSON', rejectedValue: null }],
    ])
  })

  it.each([
    ['at the top', '{"__proto__":{"admin":true}}'],
    ['escaped', '{"\\u005f_proto__":1}'],
    ['through the constructor', '{"constructor":{"prototype":{"admin":true}}}'],
  ])('is 400 with a forbidden key %s', async (_, body) => {
    const { errors } = await read(anything, body)
    const message = 'must not hold __proto__ or constructor.prototype'
    expect(errors).toEqual([{ field: 'body', message, rejectedValue: null }])
    expect(({} as { admin?: unknown }).admin).toBeUndefined()
  })

  const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`

  it('may be nested 100 deep', async () => {
    expect((await read(anything, nested(100))).code).toBeUndefined()
  })

  it.each([
    ['by one', nested(101)],
    ['in objects', `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`],
    ['by far, without an end', '['.repeat(100_000)],
    ['after brackets in a text', `{"a":"${']'.repeat(200)}","b":${nested(150)}}`],
  ])('is 400 when it is nested deeper: %s', async (_, body) => {
    const { code, errors } = await read(anything, body)
    expect([code, errors?.[0]?.message]).toEqual(['VALIDATION_FAILED', 'must not be nested deeper than 100'])
  })

  it('is 413 above 1 MiB', async () => {
    expect((await read(anything, `"${'a'.repeat(1_048_574)}"`)).code).toBeUndefined()
    expect((await read(anything, `"${'a'.repeat(1_048_575)}"`)).code).toBe('PAYLOAD_TOO_LARGE')
  })

  it('is parsed like JSON.parse does, or refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.json(), fc.string()), async (body) => {
        const answer = await read(anything, body)
        if (answer.code === undefined) expect(answer.value).toEqual(JSON.parse(body))
        else expect(answer.code).toBe('VALIDATION_FAILED')
      }),
    )
  })
})

describe('the body of POST /api/users', () => {
  const ALICE = { username: 'alice', password: '12345678', role: 'ROLE_USER' }
  const fieldsOf = async (body: unknown) => {
    const { errors } = await read(user, JSON.stringify(body))
    return errors?.map(({ field }) => field)
  }

  it.each([
    ['unchanged', ALICE],
    ['a name with every allowed sign', { ...ALICE, username: 'a.b_c-d@e+f' }],
    ['a name with digits and a mark', { ...ALICE, username: 'zoe\u0308-٣7' }],
    ['a name in another script', { ...ALICE, username: '爱丽丝' }],
    ['a name of 64 characters', { ...ALICE, username: 'ü'.repeat(64) }],
    ['a password of 1,024 bytes', { ...ALICE, password: 'é'.repeat(512) }],
  ])('is accepted, with its name in NFKC: %s', async (_, body) => {
    const accepted = { ...body, username: body.username.normalize('NFKC') }
    expect((await read(user, JSON.stringify(body))).value).toEqual(accepted)
  })

  it.each([
    ['an empty name', { ...ALICE, username: '' }, ['username']],
    ['a name of 65 characters', { ...ALICE, username: 'a'.repeat(65) }, ['username']],
    ['a name with a colon, which HTTP Basic cannot transmit', { ...ALICE, username: 'a:b' }, ['username']],
    ['half a surrogate', { ...ALICE, username: 'a\ud800' }, ['username']],
    ['a name of two words', { ...ALICE, username: 'alice smith' }, ['username']],
    ['a name with another sign', { ...ALICE, username: 'a/b' }, ['username']],
    ['a name with a stroke through a letter', { ...ALICE, username: 'a\u0335lice' }, ['username']],
    ['a name with a mark that its letter does not compose with', { ...ALICE, username: 'alice\u0338' }, ['username']],
    ['a name that becomes longer than 64 characters', { ...ALICE, username: 'ﬁ'.repeat(33) }, ['username']],
    ['a name that begins with a mark', { ...ALICE, username: '\u0301alice' }, ['username']],
    ['a name with an invisible letter', { ...ALICE, username: 'ali\u200bce' }, ['username']],
    ['a name with a Hangul filler', { ...ALICE, username: 'alice\u3164' }, ['username']],
    ['a name with a variation selector', { ...ALICE, username: 'alice\ufe0f' }, ['username']],
    ['a name with an isolate', { ...ALICE, username: '\u2067ecila' }, ['username']],
    ['a name with a change of direction', { ...ALICE, username: '\u202eecila' }, ['username']],
    ['a password of 7 bytes', { ...ALICE, password: '1234567' }, ['password']],
    ['a password of 1,025 bytes', { ...ALICE, password: 'a'.repeat(1025) }, ['password']],
    ['a password that is a number', { ...ALICE, password: 12345678 }, ['password']],
    ['another role', { ...ALICE, role: 'ADMIN' }, ['role']],
    ['an empty body', {}, ['username', 'password', 'role']],
    ['no object', [], ['body']],
  ])('is 400 with a row for each refused field: %s', async (_, body, fields) => {
    expect(await fieldsOf(body)).toEqual(fields)
  })

  it.each([
    ['a text', { ...ALICE, role: 'ADMIN' }, 'ADMIN'],
    ['a number', { ...ALICE, username: 7 }, '7'],
    ['null', { ...ALICE, role: null }, null],
    ['a list, without its elements', { ...ALICE, username: ['alice'] }, '[…]'],
    ['an empty list', { ...ALICE, username: [] }, '[]'],
    ['an object, without its members', { ...ALICE, role: { password: 's3cret' } }, '{…}'],
    ['the beginning of a long text', { ...ALICE, username: 'a'.repeat(100_000) }, `${'a'.repeat(99)}…`],
  ])('is refused with the sent value: %s', async (_, body, rejectedValue) => {
    expect((await read(user, JSON.stringify(body))).errors).toMatchObject([{ rejectedValue }])
  })

  it('is refused without half of a character at the end of the sent value', async () => {
    const { errors } = await read(user, JSON.stringify({ ...ALICE, username: `${'a'.repeat(98)}😀😀` }))
    expect(errors?.[0]?.rejectedValue?.isWellFormed()).toBe(true)
  })

  it('names a missing field as required', async () => {
    const errors = ['username', 'password', 'role'].map((field) => ({
      field,
      message: 'is required',
      rejectedValue: null,
    }))
    expect(await read(user, '{}')).toMatchObject({ errors })
    expect(await read(user, '{"role":null}')).not.toMatchObject({ errors })
  })

  it('B29 is never returned with a password, at any place', async () => {
    const bodies = [{ ...ALICE, password: 's3cret' }, { ...ALICE, password: ['s3cret'] }, ['s3cret'], 's3cret']
    for (const body of bodies) expect(JSON.stringify(await read(user, JSON.stringify(body)))).not.toContain('s3cret')
  })

  it('B14 cannot set an id or a hash', async () => {
    const body = { ...ALICE, id: 'x', passwordHash: 'y', enabled: false }
    expect((await read(user, JSON.stringify(body))).value).toEqual(ALICE)
  })
})

describe('the body of POST /api/webhooks/replays', () => {
  const replay = json(newReplay)

  it('is refused with the sent inner values, and for unknown fields only with their names', async () => {
    const body = { replayId: 'a', filter: { status: 'DONE', pasword: 's3cret' }, ratePerSecond: 0.5 }
    expect((await read(replay, JSON.stringify(body))).errors).toEqual([
      { field: 'filter.status', message: 'must be FAILED', rejectedValue: 'DONE' },
      { field: 'filter.pasword', message: 'is not known', rejectedValue: null },
      { field: 'ratePerSecond', message: 'must be a whole number from 1 to 1000', rejectedValue: '0.5' },
    ])
  })
})

describe('B29 a refusal repeats no secret field', () => {
  const schemas = Object.entries(ENDPOINTS).flatMap(
    ([
      name,
      {
        about: { reads },
      },
    ]) => (reads?.json ? [[name, reads.json] as const] : []),
  )
  const SECRET = /pass|secret|token|current|^new$|headers|body|payload/i

  /** The path of each field below a schema. */
  function pathsIn({ properties = {} }: z.core.JSONSchema.JSONSchema, front: readonly string[] = []): string[][] {
    return Object.entries(properties).flatMap(([name, below]) => {
      const path = [...front, name]
      return [path, ...(typeof below === 'object' ? pathsIn(below, path) : [])]
    })
  }

  it.each(schemas)('%s', (_, schema) => {
    const paths = pathsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }))
    for (const path of paths.filter((names) => names.some((name) => SECRET.test(name)))) {
      const body = path.reduceRight<unknown>((value, name) => ({ [name]: value }), 's3cret')
      expect(rejectedValue(body, path), path.join('.')).toBeNull()
    }
  })
})
