import { expect, it } from 'vitest'
import { operatorOf } from '../../../../localstack/operator/operator.ts'

const HERE = new URL('http://127.0.0.1:3000')
const THERE = new URL('https://api.example.com')
const NOBODY = /^Who asks\?/

it('a token takes precedence over a password, and a password over that of a demo user', () => {
  const given = { GATEHOUSE_TOKEN: 'a.b.c', GATEHOUSE_PASSWORD: 'p' }
  expect(operatorOf(HERE, 'admin', given)).toEqual({ token: 'a.b.c' })
  expect(operatorOf(HERE, 'admin', { GATEHOUSE_PASSWORD: 'p' })).toEqual({ username: 'admin', password: 'p' })
  expect(operatorOf(THERE, 'ada', { GATEHOUSE_PASSWORD: 'p' })).toEqual({ username: 'ada', password: 'p' })
})

it.each(['http://localhost:3000', 'http://[::1]:3000', HERE.href])('a demo user is accepted on %s', (address) => {
  expect(operatorOf(new URL(address), undefined, {})).toBe('demo admin')
  expect(operatorOf(new URL(address), 'ldapuser', {})).toMatchObject({ password: 'ldapuser-demo' })
})

it('a demo user is refused elsewhere, and so is a user without a password', () => {
  expect(() => operatorOf(THERE, undefined, { GATEHOUSE_PASSWORD: 'p' })).toThrow(NOBODY)
  expect(() => operatorOf(THERE, 'admin', {})).toThrow(NOBODY)
  expect(() => operatorOf(HERE, 'ada', {})).toThrow(NOBODY)
})
