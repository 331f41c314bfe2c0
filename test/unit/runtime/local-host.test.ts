import { expect, it } from 'vitest'
import { isLocalHost } from '../../../lib/runtime/local-host.ts'

const BASE_URL = new URL('https://dev.example.com:3000/')

it.each(['LOCALHOST', 'console.localhost:3001', '127.1.2.3', '[::1]:3001', 'dev.example.com:3001'])(
  'the host %s belongs to a local run',
  (host) => {
    expect(isLocalHost(host, BASE_URL)).toBe(true)
  },
)

it.each([
  undefined,
  '',
  'localhost.evil.example',
  'notlocalhost',
  '127.0.0.1.evil.example',
  'localhost@evil.example',
  '0.0.0.0:3001',
  '[::]:3001',
  'x.dev.example.com',
])('T20 the host %j does not', (host) => {
  expect(isLocalHost(host, BASE_URL)).toBe(false)
})
