import { describe, expect, it } from 'vitest'
import { loginForm } from '../../../lib/contract/requests/login.ts'
import { ServiceError, type ValidationError } from '../../../lib/errors.ts'
import { form, formOrJson } from '../../../lib/http/form.ts'
import { type Call, httpEvent } from '../../support/fakes/http.ts'

describe('form', () => {
  const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
  const read = form(loginForm)

  async function errorsOf({ body = '', headers = FORM }: Call): Promise<readonly ValidationError[]> {
    try {
      await read(httpEvent({ method: 'POST', body, headers }))
    } catch (error) {
      if (error instanceof ServiceError && error.is('VALIDATION_FAILED')) return error.details.validationErrors
      throw error
    }
    return []
  }

  const USERNAME = { field: 'username', message: 'Username is required and cannot be empty' }
  const PASSWORD = { field: 'password', message: 'Password is required and cannot be empty', rejectedValue: '' }

  describe('the login form', () => {
    it.each([
      ['unchanged', FORM, 'username=alice&password=s%26cret+1', 'alice', 's&cret 1'],
      ['with other fields', FORM, 'a=1&username=alice&a=2&password=p', 'alice', 'p'],
      [
        'with a charset',
        { 'content-type': 'Application/X-WWW-Form-Urlencoded ; charset=UTF-8' },
        'username=%C3%A9&password=p',
        'é',
        'p',
      ],
      ['of blanks, which are not empty', FORM, 'username=+&password=%20', ' ', ' '],
    ])('is parsed %s', async (_, headers, body, username, password) => {
      expect(await read(httpEvent({ method: 'POST', headers, body }))).toEqual({ username, password })
    })

    it.each<[string, string, readonly ValidationError[]]>([
      ['both fields empty', 'username=&password=', [{ ...USERNAME, rejectedValue: '' }, PASSWORD]],
      ['a field without a value', 'username&password=p', [{ ...USERNAME, rejectedValue: '' }]],
      [
        'a repeated username',
        'username=a&username=b&password=p',
        [{ field: 'username', message: 'Username must be sent once', rejectedValue: null }],
      ],
      [
        'a repeated password',
        'username=a&password=s3cret&password=s3cret',
        [{ ...PASSWORD, message: 'Password must be sent once' }],
      ],
      [
        'a username in Latin-1',
        'username=%E9&password=p',
        [{ field: 'username', message: 'Username must be UTF-8', rejectedValue: null }],
      ],
      ['fields in another case', 'Username=a&PASSWORD=p', [{ ...USERNAME, rejectedValue: null }, PASSWORD]],
    ])('is refused with a row for each field, in the order of the declaration: %s', async (_, body, errors) => {
      expect(await errorsOf({ body })).toEqual(errors)
    })

    it.each([
      ['application/json', '{"username":"a","password":"p"}'],
      ['multipart/form-data; boundary=x', '--x--'],
      [null, 'username=a&password=p'],
    ])('H42 of the type %s is 415, with the type that is taken', async (given, body) => {
      const headers: Record<string, string> = given === null ? {} : { 'content-type': given }
      const details = { given, accept: 'application/x-www-form-urlencoded' }
      await expect(errorsOf({ headers, body })).rejects.toMatchObject({ code: 'MEDIA_TYPE_UNSUPPORTED', details })
    })

    it('H42 has at most a thousand fields; more are not even parsed', async () => {
      const named = 'username=alice&password=p'
      expect(await errorsOf({ body: `${named}${'&a'.repeat(998)}` })).toEqual([])
      const message = 'must not have more than 1000 fields'
      expect(await errorsOf({ body: `${named}${'&a'.repeat(999)}` })).toEqual([
        { field: 'body', message, rejectedValue: null },
      ])
    })

    it('in raw bytes that are no UTF-8 names the field', async () => {
      const body = Buffer.from('username=\xe9&password=p', 'latin1')
      expect(await errorsOf({ body })).toMatchObject([{ field: 'username', message: 'Username must be UTF-8' }])
    })

    it.each([
      ['CODING_UNSUPPORTED', { headers: { ...FORM, 'content-encoding': 'gzip' }, body: 'x' }],
      ['PAYLOAD_TOO_LARGE', { headers: FORM, body: `username=${'a'.repeat(5_000_000)}&password=p` }],
    ])('is refused with %s', async (code, call) => {
      await expect(Promise.try(read, httpEvent({ method: 'POST', ...call }))).rejects.toMatchObject({ code })
    })
  })
})

describe('form or json', () => {
  const reader = formOrJson(loginForm)
  const FORM = 'application/x-www-form-urlencoded'
  const JSON_TYPE = 'application/json'

  const read = ({ headers = {}, ...call }: Call) => Promise.try(reader, httpEvent({ method: 'POST', headers, ...call }))
  const as = (type: string, body: string) => ({ headers: { 'content-type': type }, body })

  const membersOf = (count: number) => `{${Array.from({ length: count }, (_, name) => `"n${name}":1`).join()}}`

  const USERNAME = { field: 'username', message: 'Username is required and cannot be empty', rejectedValue: null }
  const PASSWORD = { field: 'password', message: 'Password is required and cannot be empty', rejectedValue: '' }

  describe('a login is parsed', () => {
    it.each([
      ['as a form', as(FORM, 'username=alice&password=p')],
      ['as JSON', as(JSON_TYPE, '{"username":"alice","password":"p"}')],
      [
        'as JSON in another order, with additional fields',
        as(JSON_TYPE, '{"a":{"b":[1]},"a":2,"password":"p","username":"alice"}'),
      ],
    ])('%s', async (_, call) => {
      expect(await read(call)).toEqual({ username: 'alice', password: 'p' })
    })
  })

  const MUST = {
    username: { ...USERNAME, message: 'must be a text' },
    password: { ...PASSWORD, message: 'must be a text' },
  }
  const body = (message: string) => ({ field: 'body', message, rejectedValue: null })

  describe('a login is 400 with a row for each refused field', () => {
    it.each([
      ['an empty body with the type of JSON', as(JSON_TYPE, ''), [USERNAME, PASSWORD]],
      ['an empty object', as(JSON_TYPE, '{}'), [USERNAME, PASSWORD]],
      [
        'lists and objects',
        as(JSON_TYPE, '{"username":["a"],"password":{"a":1}}'),
        [{ ...MUST.username, rejectedValue: '[…]' }, MUST.password],
      ],
      [
        'a list instead of an object',
        as(JSON_TYPE, '[{"username":"a","password":"p"}]'),
        [body('must be a JSON object')],
      ],
      ['a form with the type of JSON', as(JSON_TYPE, 'username=a&password=p'), [body('must be JSON')]],
      ['101 members', as(JSON_TYPE, membersOf(101)), [body('must not have more than 100 members')]],
    ])('%s', async (_, call, validationErrors) => {
      await expect(read(call)).rejects.toMatchObject({ code: 'VALIDATION_FAILED', details: { validationErrors } })
    })

    it('B29 a repeated field is refused, as in a form, and is not repeated', async () => {
      const failure = await read(as(JSON_TYPE, '{"username":"a","password":"s3cret","p\\u0061ssword":"s3cret"}')).catch(
        (error) => error,
      )
      const validationErrors = [{ ...PASSWORD, message: 'Password must be sent once' }]
      expect(failure).toMatchObject({ code: 'VALIDATION_FAILED', details: { validationErrors } })
      expect(JSON.stringify(failure)).not.toContain('s3cret')
    })
  })

  describe('a login is 413', () => {
    it.each([
      ['a form', FORM, `username=${'a'.repeat(16_376)}`],
      ['JSON', JSON_TYPE, `{"username":"${'a'.repeat(16_370)}"}`],
    ])('above 16 KiB as %s', async (_, type, text) => {
      await expect(read(as(type, text))).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' })
    })

    it('not with 16 KiB', async () => {
      const text = `username=a&password=${'p'.repeat(16_364)}`
      expect(Buffer.byteLength(text)).toBe(16_384)
      expect(await read(as(FORM, text))).toMatchObject({ username: 'a' })
    })
  })

  describe('a login is 415', () => {
    it.each([
      ['without a content type', { body: '{"username":"a","password":"p"}' }],
      ['as a type with only the same beginning', as('application/jsonp', '{}')],
    ])('%s', async (_, call) => {
      await expect(read(call)).rejects.toMatchObject({ code: 'MEDIA_TYPE_UNSUPPORTED' })
    })

    it('under a content coding', async () => {
      const call = { headers: { 'content-type': JSON_TYPE, 'content-encoding': 'gzip' }, body: '{}' }
      await expect(read(call)).rejects.toMatchObject({ code: 'CODING_UNSUPPORTED' })
    })
  })
})
