import { describe, expect, it } from 'vitest'
import { loginForm } from '../../../lib/contract/requests/login.ts'
import { formOrJson } from '../../../lib/http/form-or-json.ts'
import { type Call, httpEvent } from '../../support/fakes/http.ts'

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

  it('B29 a repeated field counts as missing, as in a form, and is not repeated', async () => {
    const failure = await read(as(JSON_TYPE, '{"username":"a","password":"s3cret","p\\u0061ssword":"s3cret"}')).catch(
      (error) => error,
    )
    expect(failure).toMatchObject({ code: 'VALIDATION_FAILED', details: { validationErrors: [PASSWORD] } })
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
