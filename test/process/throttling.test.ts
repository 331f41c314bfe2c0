import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freeOffset, type Stack, startStack } from '../support/stack.ts'

let stack: Stack

async function start(environment: Readonly<Record<string, string>>): Promise<void> {
  stack = await startStack({
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: 'memory',
    LOGIN_FAILURE_WINDOW_SECONDS: '3600',
    ...environment,
  })
}

const passwordOf = (name: string) => stack.ready.users.find(({ username }) => username === name)?.password ?? ''

async function login(username: string, password: string, headers: Record<string, string> = {}) {
  const body = new URLSearchParams({ username, password })
  const response = await fetch(`${stack.ready.http}/api/auth/login`, { method: 'POST', body, headers })
  return { status: response.status, headers: response.headers, json: await response.json() }
}

describe('B06 failed passwords are counted', () => {
  beforeAll(() => start({ LOGIN_FAILURES_PER_ADDRESS: '14' }))
  afterAll(() => stack.stop())

  it('B21 ten for a user from one address, then 429 with Retry-After, whatever the password', async () => {
    for (let attempt = 0; attempt < 10; attempt++) expect((await login('user', 'wrong')).status).toBe(401)
    const { status, headers, json } = await login('user', passwordOf('user'))
    expect(status).toBe(429)
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0)
    expect([headers.get('x-frame-options'), headers.get('x-content-type-options')]).toEqual(['DENY', 'nosniff'])
    expect(json).toMatchObject({ status: 429, error: 'Too Many Requests', message: 'Too many requests' })
    expect(json).not.toHaveProperty('details')
    const authorization = `Basic ${Buffer.from(`user:${passwordOf('user')}`).toString('base64')}`
    const basic = await fetch(`${stack.ready.http}/api/jdbc/users`, { headers: { authorization } })
    expect(basic.status).toBe(429)
    const form = new URLSearchParams({ username: 'user', password: passwordOf('user') })
    expect((await fetch(`${stack.ready.http}/login`, { method: 'POST', body: form })).status).toBe(429)
  })

  it.each(['x-forwarded-for', 'x-real-ip', 'forwarded', 'true-client-ip', 'x-amzn-source-ip'])(
    'H11 and %s makes no other address of the caller',
    async (name) => {
      const headers = { [name]: name === 'forwarded' ? 'for=192.0.2.7' : '192.0.2.7' }
      expect((await login('user', passwordOf('user'), headers)).status).toBe(429)
    },
  )

  it('B08 another user still gets in from there, and an address has a limit of its own', async () => {
    expect((await login('admin', passwordOf('admin'))).status).toBe(200)
    for (let attempt = 0; attempt < 4; attempt++) await login(`nobody-${attempt}`, 'wrong')
    expect((await login('jdbcadmin', passwordOf('jdbcadmin'))).status).toBe(429)
  })
})

describe('B11 behind a trusted proxy failed passwords are counted', () => {
  beforeAll(() => start({ LOGIN_FAILURES_PER_USER: '1', TRUSTED_PROXIES: '127.0.0.1' }))
  afterAll(() => stack.stop())

  const loginFrom = (forwarded: string) => login('user', passwordOf('user'), { 'x-forwarded-for': forwarded })

  it('for the address that the proxy saw, whatever its caller forged', async () => {
    const failed = await login('user', 'wrong', { 'x-forwarded-for': '192.0.2.7' })
    expect(failed.status).toBe(401)
    for (const forwarded of ['192.0.2.7', '198.51.100.1, 192.0.2.7', '::ffff:192.0.2.7', '192.0.2.7:4711']) {
      expect((await loginFrom(forwarded)).status, forwarded).toBe(429)
    }
  })

  it('and not for another', async () => {
    for (const forwarded of ['198.51.100.1', '192.0.2.7, 198.51.100.1', 'unknown']) {
      expect((await loginFrom(forwarded)).status, forwarded).toBe(200)
    }
  })
})
