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

  it.each(['x-forwarded-for', 'forwarded'])('H11 and %s does not change the address of the caller', async (name) => {
    const headers = { [name]: name === 'forwarded' ? 'for=192.0.2.7' : '192.0.2.7' }
    expect((await login('user', passwordOf('user'), headers)).status).toBe(429)
  })

  it('B08 another user can still log in from there, and an address has a separate limit', async () => {
    expect((await login('admin', passwordOf('admin'))).status).toBe(200)
    for (let attempt = 0; attempt < 4; attempt++) await login(`nobody-${attempt}`, 'wrong')
    expect((await login('jdbcadmin', passwordOf('jdbcadmin'))).status).toBe(429)
  })
})

describe('B09, B11, B26 behind a trusted proxy', () => {
  beforeAll(() => start({ TRUSTED_PROXIES: '127.0.0.1', LOGIN_FAILURES_PER_NAME: '20' }))
  afterAll(() => stack.stop())

  const loginFrom = (forwarded: string) => login('ldapadmin', passwordOf('ldapadmin'), { 'x-forwarded-for': forwarded })

  it('B11 failed passwords are counted for the address that the proxy saw, whatever address the caller forged', async () => {
    for (let guess = 0; guess < 10; guess++) {
      expect((await login('ldapadmin', 'wrong', { 'x-forwarded-for': '192.0.2.7' })).status).toBe(401)
    }
    for (const forwarded of ['192.0.2.7', '198.51.100.1, 192.0.2.7', '::ffff:192.0.2.7', '192.0.2.7:4711']) {
      expect((await loginFrom(forwarded)).status, forwarded).toBe(429)
    }
  })

  it('B11 and not for another', async () => {
    for (const forwarded of ['198.51.100.1', '192.0.2.7, 198.51.100.1', 'unknown']) {
      expect((await loginFrom(forwarded)).status, forwarded).toBe(200)
    }
  })

  const statusFrom = async (address: string, username: string, password: string) =>
    (await login(username, password, { 'x-forwarded-for': address })).status

  const basicFrom = async (address: string, path: string, username: string, password: string) => {
    const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
    return (await fetch(`${stack.ready.http}${path}`, { headers: { authorization, 'x-forwarded-for': address } }))
      .status
  }

  it.each([
    ['the login', statusFrom],
    [
      'HTTP Basic',
      (address: string, name: string, password: string) => basicFrom(address, '/api/jdbc/users', name, password),
    ],
  ])('B09 of 60 at once at %s ten are verified, and then not even the right one is', async (door, guess) => {
    const address = door === 'the login' ? '192.0.2.60' : '192.0.2.61'
    const guesses = Array.from({ length: 60 }, (_, index) => guess(address, 'jdbcuser', `wrong ${index}`))
    await Promise.any(guesses.map(async (status) => expect(await status).toBe(429)))
    const right = guess(address, 'jdbcuser', passwordOf('jdbcuser'))
    expect((await Promise.all(guesses)).filter((status) => status !== 429)).toEqual(Array(10).fill(401))
    expect(await right).toBe(429)
  })

  it('B31 a wrong current password at a change of the password is a guess like one at the login', async () => {
    const address = { 'x-forwarded-for': '192.0.2.70' }
    const { json } = await login('user', passwordOf('user'), address)
    const { token } = json as { readonly token: string }
    const change = (current: string) =>
      fetch(`${stack.ready.http}/api/account/password`, {
        method: 'POST',
        headers: { ...address, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ current, new: 'another of user' }),
      })
    for (let guess = 0; guess < 5; guess++) {
      expect((await login('user', `wrong ${guess}`, address)).status).toBe(401)
      expect((await change(`wrong ${guess}`)).status).toBe(400)
    }
    const refused = await change(passwordOf('user'))
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await login('user', passwordOf('user'), address)).status).toBe(429)
    expect(await statusFrom('192.0.2.71', 'user', passwordOf('user'))).toBe(200)
  })

  it('B26 twenty for a user from ten networks, then 429 except for an address from which the user has logged in', async () => {
    const [known, unknown] = ['2001:db8:aaaa::1', '2001:db8:bbbb::1']
    expect(await statusFrom(known, 'user', passwordOf('user'))).toBe(200)
    for (let guess = 0; guess < 20; guess++) {
      expect(await statusFrom(`2001:db8:0:${guess % 10}::1`, 'user', `wrong ${guess}`)).toBe(401)
    }
    expect(await statusFrom('2001:db8:0:10::1', 'user', 'wrong')).toBe(429)
    expect(await statusFrom(unknown, 'user', passwordOf('user'))).toBe(429)
    expect(await statusFrom(known, 'user', passwordOf('user'))).toBe(200)
    expect(await statusFrom(unknown, 'admin', passwordOf('admin'))).toBe(200)
  })
})
