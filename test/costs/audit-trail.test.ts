import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { createTokens } from '../../lib/auth/token.ts'
import { systemClock } from '../../lib/runtime/clock.ts'
import { loadConfig } from '../../lib/runtime/config.ts'
import { tokenSettings } from '../../lib/runtime/settings/token.ts'
import { type CountingProxy, countingProxy } from '../support/counting-proxy.ts'
import { LAMBDA_ENVIRONMENT } from '../support/lambda-environment.ts'
import { type Invoke, invoker, lambdaEvent } from '../support/lambda-event.ts'

const ready = inject('ready')
const NOWHERE = 'http://127.0.0.1:9'

let dynamodb: CountingProxy
let login: Invoke
let created: Invoke
let detail: Invoke
let list: Invoke
const printed: string[] = []

/** The functions as they are deployed; CloudWatch Logs does not answer. */
beforeAll(async () => {
  vi.spyOn(console, 'log').mockImplementation((line) => void printed.push(String(line)))
  dynamodb = await countingProxy(ready.dynamodb)
  const endpoints = { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.url, AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: NOWHERE }
  for (const [name, value] of Object.entries({ ...LAMBDA_ENVIRONMENT, ...endpoints })) vi.stubEnv(name, value)
  login = invoker((await import(resolve('dist/api/auth-login/index.mjs'))).handler)
  created = invoker((await import(resolve('dist/api/users-create/index.mjs'))).handler)
  detail = invoker((await import(resolve('dist/api/webhook-event/index.mjs'))).handler)
  list = invoker((await import(resolve('dist/api/webhook-events/index.mjs'))).handler)
})

afterAll(async () => {
  vi.restoreAllMocks()
  await dynamodb.close()
})

const keys = { current: loadConfig({ JWT_KEYS: tokenSettings.JWT_KEYS }, [], LAMBDA_ENVIRONMENT).JWT_KEYS }

/** Of the demo user, whose id the users table knows. */
async function asAdmin(): Promise<Record<string, string>> {
  const token = await createTokens({ keys, lifetimeSeconds: 60, clock: systemClock }).issue('admin', 'ROLE_ADMIN')
  return { authorization: `Bearer ${token}` }
}

describe('A11 without CloudWatch Logs', () => {
  it('a login succeeds, and an error is logged', async () => {
    const password = ready.users.find(({ username }) => username === 'admin')?.password ?? ''
    const body = new URLSearchParams({ username: 'admin', password }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await login(lambdaEvent('POST', '/api/auth/login', { body, headers }))).statusCode).toBe(200)
    const text = printed.join('\n')
    expect(text).toMatch(/"ERROR".*a line of the audit trail is missing.*login\.accepted/)
  })

  it('no user is created', async () => {
    const name = `unrecorded${Date.now()}`
    const body = JSON.stringify({ username: name, password: 'a long password', role: 'ROLE_USER' })
    const headers = { 'content-type': 'application/json', ...(await asAdmin()) }
    const { statusCode } = await created(lambdaEvent('POST', '/api/users', { body, headers }))
    expect(statusCode).toBe(503)
    expect(dynamodb.take()).not.toContain('TransactWriteItems')
  })

  it('a missing payload gets 404, and calls that only read continue to work', async () => {
    const headers = await asAdmin()
    expect((await detail(lambdaEvent('GET', '/api/webhooks/events/payment/nothing', { headers }))).statusCode).toBe(404)
    dynamodb.take()
    expect((await list(lambdaEvent('GET', '/api/webhooks/events', { headers }))).statusCode).toBe(200)
    expect(new Set(dynamodb.take())).toEqual(new Set(['Query']))
  })
})
