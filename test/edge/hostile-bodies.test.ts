import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { bearer, type Call, call, form } from '../support/client.ts'
import { payment, postJson, postPayment } from '../support/events.ts'

const LIMIT = 10 * 1024 * 1024

const WEBHOOKS = ['/webhooks/payment', '/webhooks/order-status', '/webhooks/stripe', '/webhooks/github']

async function asAdmin({ headers, ...request }: Call): Promise<Call> {
  return { ...request, headers: { ...headers, ...bearer(await tokenOf('admin')).headers } }
}

const createUser = async (body: string | Buffer, headers: Call['headers'] = { 'content-type': 'application/json' }) =>
  call('/api/users', await asAdmin({ method: 'POST', headers, body }))

const isAlive = async () => (await call('/api/public/hello')).status === 200

describe('H15 a body of 10 MiB and a byte is 413', () => {
  it.each(['/api/auth/login', '/login', '/api/users', ...WEBHOOKS])('%s', async (path) => {
    const body = Buffer.alloc(LIMIT + 1, 'a')
    const request = await asAdmin({ method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect((await call(path, request, { isGatewayAllowed: true })).status).toBe(413)
    expect(await isAlive()).toBe(true)
  })
})

describe('H16 a body under a content coding is never unpacked', () => {
  const bomb = gzipSync(Buffer.alloc(100 * 1024 * 1024), { level: 9 })

  it.each(['/api/auth/login', '/api/users', ...WEBHOOKS])('%s', async (path) => {
    for (const coding of ['gzip', 'deflate', 'br', 'gzip, gzip']) {
      const headers = { 'content-type': 'application/json', 'content-encoding': coding }
      const { status, text } = await call(path, await asAdmin({ method: 'POST', headers, body: bomb }))
      // Where no signature is required, the coding is what is wrong.
      expect(path.startsWith('/webhooks/') ? [400, 401, 415] : [415], `${coding}: ${text}`).toContain(status)
    }
  })
})

describe('H17 JSON that is expensive to parse is refused', () => {
  const manyKeys = `{${Array.from({ length: 1_000_000 }, (_, index) => `"${index.toString(36)}":1`).join(',')}}`
  const fewerKeys = `{${Array.from({ length: 80_000 }, (_, index) => `"k${index}":1`).join(',')}}`
  const number = (digits: string) => JSON.stringify(payment({ amount: 7 })).replace(':7', `:${digits}`)

  it.each<[string, string, number[]]>([
    ['100,000 lists', '['.repeat(100_000), [400]],
    ['100,000 objects', '{"a":'.repeat(100_000), [413]],
    ['a million keys', manyKeys, [400, 413]],
    ['80,000 keys', fewerKeys, [413]],
    ['a number of a million digits', number('9'.repeat(1_000_000)), [400]],
    ['1e400', number('1e400'), [400]],
    ['an exponent of a million digits', number(`1e${'9'.repeat(1_000_000)}`), [400]],
    ['a text of a million escapes', `"${'\\u0061'.repeat(150_000)}`, [400]],
  ])('%s', async (_, body, wanted) => {
    expect(wanted).toContain((await postPayment(body)).status)
    expect([400, 413]).toContain((await createUser(body)).status)
    expect(await isAlive()).toBe(true)
  })
})

it('H42 a form of half a million fields is too large', async () => {
  for (const fields of [
    'a&'.repeat(500_000),
    'username=a&'.repeat(90_000),
    `username=${'%25'.repeat(300_000)}&password=`,
  ]) {
    for (const path of ['/api/auth/login', '/login']) expect((await call(path, form(fields))).status).toBe(413)
  }
  expect(await isAlive()).toBe(true)
})

describe('H18 __proto__ in a body does not set a prototype', () => {
  const NAME = '"username":"eve","password":"long enough","role":"ROLE_USER"'

  it.each([
    ['__proto__', `{"__proto__":{"role":"ROLE_ADMIN","polluted":1},${NAME}}`],
    ['constructor.prototype', `{"constructor":{"prototype":{"polluted":1}},${NAME}}`],
    ['__proto__ in a nested object', `{"more":{"__proto__":{"polluted":1}},${NAME}}`],
    ['__proto__ in escapes', `{"\\u005f_proto__":{"polluted":1},${NAME}}`],
  ])('H18 %s in JSON for POST /api/users: 400', async (_, body) => {
    expect((await createUser(body)).status).toBe(400)
    expect((await call('/api/auth/info', await asAdmin({}))).json).not.toHaveProperty('polluted')
  })

  it.each(['__proto__', '__proto__[username]', 'constructor.prototype.username', 'constructor[prototype][username]'])(
    '%s in a form is an unknown field',
    async (field) => {
      const { password } = demoUser('user')
      const { status, json } = await call('/api/auth/login', form({ [field]: 'admin', password }))
      expect(status).toBe(400)
      expect(json.details.validationErrors).toMatchObject([{ field: 'username', rejectedValue: null }])
      const { json: login } = await call('/api/auth/login', form({ [field]: 'admin', username: 'user', password }))
      expect(login).toMatchObject({ username: 'user', role: 'ROLE_USER' })
    },
  )
})

describe('H19 a repeated field or key has one defined meaning', () => {
  it.each(['username=user&username=admin&password=x', 'username=user&password=x&password=y'])(
    'a login is refused: %s',
    async (fields) => {
      expect((await call('/api/auth/login', form(fields))).status).toBe(400)
      const { status, headers } = await call('/login', form(fields))
      expect(status).toBe(400)
      expect(headers['set-cookie']).toBeUndefined()
    },
  )

  it('a new user is refused, and each key that came twice is named', async () => {
    const name = crypto.randomUUID()
    const { status, json } = await createUser(
      `{"username":"${name}","username":"${name}","password":"long enough","role":"ROLE_ADMIN","role":"ROLE_USER"}`,
    )
    expect(status).toBe(400)
    expect(json.details.validationErrors).toMatchObject([
      { field: 'username', message: 'Username must be sent once' },
      { field: 'role', message: 'Role must be sent once' },
    ])
    expect((await call('/api/auth/login', form({ username: name, password: 'long enough' }))).status).toBe(401)
  })

  it('a key of a webhook: the last one, in the effect and in the record', async () => {
    const body = payment()
    const text = JSON.stringify(body).replace('{', '{"eventId":"the-first","status":"DONE",')
    expect((await postPayment(text)).status).toBe(200)
    const { status, json } = await call(`/api/webhooks/events/payment/${body['eventId']}`, await asAdmin({}))
    expect(status).toBe(200)
    expect(json.payload).toBe(text)
    const first = await call('/api/webhooks/events/payment/the-first', await asAdmin({}))
    expect(first.status).toBe(404)
  })
})

describe('H20 a body in another type or encoding is refused', () => {
  const user = JSON.stringify({ username: 'eve-h20', password: 'long enough', role: 'ROLE_USER' })

  it.each<[string, string, string | Buffer, number]>([
    ['a wrong content type', 'text/plain', user, 415],
    ['a content type with only a valid beginning', 'application/jsonp', user, 415],
    ['UTF-16', 'application/json; charset=utf-16', Buffer.from(user, 'utf16le'), 400],
    ['a byte order mark', 'application/json', `\ufeff${user}`, 400],
    ['invalid UTF-8', 'application/json', Buffer.from(user.replace('eve', '\xff'), 'latin1'), 400],
  ])('H20 POST /api/users with %s', async (_, type, body, wanted) => {
    expect((await createUser(body, { 'content-type': type })).status).toBe(wanted)
  })

  it.each<[string, string | Buffer]>([
    ['UTF-16', Buffer.from(JSON.stringify(payment()), 'utf16le')],
    ['a byte order mark', `\ufeff${JSON.stringify(payment())}`],
    ['invalid UTF-8', Buffer.from(JSON.stringify(payment({ note: '\xff' })), 'latin1')],
  ])('POST /webhooks/payment with %s: 400', async (_, body) => {
    expect((await call('/webhooks/payment', postJson(body))).status).toBe(400)
  })
})
