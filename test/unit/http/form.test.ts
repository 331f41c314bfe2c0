import { describe, expect, it } from 'vitest'
import { loginForm } from '../../../lib/contract/requests/login.ts'
import { ServiceError, type ValidationError } from '../../../lib/errors.ts'
import { form } from '../../../lib/http/form.ts'
import { type Call, httpEvent } from '../../support/fakes/http.ts'

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
    ['a repeated username', 'username=a&username=b&password=p', [{ ...USERNAME, rejectedValue: null }]],
    ['a repeated password', 'username=a&password=s3cret&password=s3cret', [PASSWORD]],
    ['fields in another case', 'Username=a&PASSWORD=p', [{ ...USERNAME, rejectedValue: null }, PASSWORD]],
  ])('is refused with a row for each field, in the order of the declaration: %s', async (_, body, errors) => {
    expect(await errorsOf({ body })).toEqual(errors)
  })

  it.each([
    ['JSON', { 'content-type': 'application/json' }, '{"username":"a","password":"p"}'],
    ['no type', {}, 'username=a&password=p'],
  ])('is missing in another content type: %s', async (_, headers, body) => {
    expect(await errorsOf({ headers, body })).toEqual([{ ...USERNAME, rejectedValue: null }, PASSWORD])
  })

  it('H42 is missing among more than a thousand fields, which are not even parsed', async () => {
    const named = 'username=alice&password=p'
    expect(await errorsOf({ body: `${named}${'&a'.repeat(998)}` })).toEqual([])
    expect(await errorsOf({ body: `${named}${'&a'.repeat(999)}` })).toEqual([
      { ...USERNAME, rejectedValue: null },
      PASSWORD,
    ])
  })

  it.each([
    ['CODING_UNSUPPORTED', { headers: { ...FORM, 'content-encoding': 'gzip' }, body: 'x' }],
    ['PAYLOAD_TOO_LARGE', { headers: FORM, body: `username=${'a'.repeat(5_000_000)}&password=p` }],
  ])('is refused with %s', async (code, call) => {
    await expect(Promise.try(read, httpEvent({ method: 'POST', ...call }))).rejects.toMatchObject({ code })
  })
})
