import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { tokenOf } from '../support/accounts.ts'
import { bearer, type Call, call } from '../support/client.ts'
import { command } from '../support/command.ts'
import { postJson } from '../support/events.ts'

const username = `audit${randomUUID().slice(0, 8)}`
const user = { username, password: `a password ${randomUUID()}`, role: 'ROLE_USER' }
let userId = ''

async function asAdmin(path: string, request: Call = {}) {
  const { headers } = bearer(await tokenOf('admin'))
  return call(path, { ...request, headers: { ...request.headers, ...headers } })
}

const audit = (...args: readonly string[]) =>
  command('audit', args, {
    PORT_OFFSET: String(Number(new URL(inject('http')).port) - 3000),
    DATA_DIR: 'memory',
    AWS_ENDPOINT_URL: inject('awsEndpoint'),
  })

async function linesOf(...args: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await audit(...args)
  expect([code, stderr]).toEqual([0, ''])
  return stdout.split('\n').slice(0, -1)
}

const escaped = `no\u001b[31m\u2028${randomUUID()}`

beforeAll(async () => {
  userId = (await asAdmin('/api/users', postJson(user))).json.id
  expect((await asAdmin('/api/users', postJson(user))).status).toBe(409)
  await asAdmin(`/api/users/${userId}`, { ...postJson({ enabled: false }), method: 'PATCH' })
  await asAdmin(`/api/users/${encodeURIComponent(escaped)}`, { method: 'DELETE' })
})

describe('npx gatehouse audit', () => {
  it('prints who did what to a target, the newest first, with the new values and the error of what was refused', async () => {
    const lines = await linesOf('--target', username)
    expect(lines.map((line) => line.replace(/^\d{4}-\S+Z /, ''))).toEqual([
      expect.stringMatching(new RegExp(`^ admin +user\\.changed +${username}  enabled=false  127\\.0\\.0\\.1$`)),
      expect.stringMatching(
        new RegExp(`^ admin +user\\.created +${username}  role=ROLE_USER  refused USER_EXISTS  127\\.0\\.0\\.1$`),
      ),
      expect.stringMatching(new RegExp(`^ admin +user\\.created +${username}  role=ROLE_USER  127\\.0\\.0\\.1$`)),
    ])
  })

  it('prints only rows that match every option; a repeated one matches any of its values', async () => {
    const about = ['--target', username]
    expect(await linesOf(...about, '--outcome', 'refused')).toHaveLength(1)
    expect(await linesOf(...about, '--outcome', 'refused', '--outcome', 'done')).toHaveLength(3)
    expect(await linesOf(...about, '--action', 'user.changed')).toHaveLength(1)
    expect(await linesOf(...about, '--actor', 'nobody')).toEqual([])
    expect(await linesOf(...about, '--limit', '2')).toHaveLength(2)
    expect(await linesOf(...about, '--to', '2020-01-01T00:00:00')).toEqual([])
  })

  it('prints each row with --json as the API shows it', async () => {
    const lines = await linesOf('--target', userId, '--json')
    const { json } = await asAdmin(`/api/audit?target=${userId}`)
    expect(json.entries.length).toBeGreaterThan(0)
    expect(lines.map((line) => JSON.parse(line))).toEqual(json.entries)
  })

  it('replaces characters on which a terminal would act', async () => {
    const rest = escaped.slice(-36)
    const [line = ''] = await linesOf('--q', rest)
    expect(line).toContain(`no\ufffd[31m\ufffd${rest}`)
  })

  it.each([
    [['--outcome', 'lost'], '--outcome must be one of done, refused, failed'],
    [['--stage', 'local'], '--stage must name a deployed stage'],
    [['verify'], "Unexpected argument 'verify'"],
  ])('names the option that is wrong: %j', async (args, problem) => {
    const { code, stdout, stderr } = await audit(...args)
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(problem)])
  })
})
