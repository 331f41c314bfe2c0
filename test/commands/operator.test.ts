import { describe, expect, inject, it, vi } from 'vitest'
import { bearer, call } from '../support/client.ts'
import { command, type Ended } from '../support/command.ts'
import { eventDetail } from '../support/events.ts'

/** The settings with which the commands find the service of the tests. */
function settings(): Record<string, string> {
  return {
    PORT_OFFSET: String(Number(new URL(inject('http')).port) - 3000),
    WEBHOOK_SECRETS: JSON.stringify(inject('ready').webhookSecrets),
    JWT_KEYS: `first:${inject('jwtSecret')}`,
    WEBHOOK_RETRY_DELAY_MINUTES: '0.02,0.04,0.06',
    AWS_ENDPOINT_URL: inject('awsEndpoint'),
  }
}

function run(line: string): Promise<Ended> {
  const [name = '', ...args] = line.split(' ')
  return command(name, args, settings())
}

/** What `send` prints: id and status of each event, and the last line. */
function answersOf({ stdout }: Ended) {
  const lines = stdout.trimEnd().split('\n')
  const answers = lines.slice(0, -1).map((line) => /^(\S+) {2}(\d{3}) {2}\d+ ms {2}/.exec(line))
  return {
    ids: answers.map((answer) => answer?.[1] ?? ''),
    statuses: answers.map((answer) => Number(answer?.[2])),
    summary: lines.at(-1),
  }
}

describe.concurrent('npx gatehouse send', () => {
  it.each<[string, readonly number[]]>([
    ['stripe -n 3', [200, 200, 200]],
    ['payment REFUNDED --duplicate', [200, 200]],
    ['stripe charge.refunded --bad-signature', [400]],
    ['payment --old 400', [400]],
    ['github push --old 400', [200]],
    ['stripe --fail --duplicate', [200, 200, 200, 200]],
    ['twilio delivered --set To=+1', [200]],
    ['square', [200]],
  ])('%s is answered as expected', async (line, statuses) => {
    const ended = await run(`send ${line}`)
    const answers = answersOf(ended)
    expect(answers.statuses).toEqual(statuses)
    const count = statuses.length
    expect(answers.summary).toMatch(
      new RegExp(`^${count} sent, ${count} answered as expected, \\d+ ms on average, at most \\d+ ms$`),
    )
    expect([ended.code, ended.stderr]).toEqual([0, ''])
  })

  it('puts the values of --set into the body, and prints the id under which the event is stored', async () => {
    const { ids } = answersOf(await run('send slack app_mention --set event.text=hi --set event.n=7 --set a.b=true'))
    const { json } = await eventDetail('slack', ids[0] ?? '')
    expect(json.eventType).toBe('app_mention')
    expect(JSON.parse(json.payload)).toMatchObject({ event: { text: 'hi', n: 7 }, a: { b: true } })
  })

  it.each(['github pull_request', 'mailgun'])(
    '--resend sends %s again with a new signature, and the service recognizes the event',
    async (what) => {
      const [id = ''] = answersOf(await run(`send ${what} --old 30`)).ids
      const [name = ''] = what.split(' ')
      const again = await run(`send ${name} --resend ${id}`)
      expect(answersOf(again)).toMatchObject({ ids: [id], statuses: [200] })
      expect(again.code).toBe(0)
      const { json } = await eventDetail(name, id)
      expect(json.history.filter(({ by }: { by: string }) => by === 'intake')).toHaveLength(1)
    },
  )

  it('--fail sends an event that is retried until it is dead', async () => {
    const [, id = ''] = answersOf(await run('send payment COMPLETED --fail')).ids
    const isDead = async () => (await eventDetail('payment', id)).json.dead
    await vi.waitUntil(isDead, { timeout: 20_000, interval: 200 })
    expect((await eventDetail('payment', id)).json).toMatchObject({ status: 'FAILED', attempts: 3 })
  })

  it('ends with 1 when an answer differs from the expected one', async () => {
    const { code, stdout } = await run('send payment COMPLETED --set amount=-1')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /^\S.* {2}400 {2}\d+ ms {2}.*amount.*\n1 sent, 0 answered as expected, .*; 400 came for 200\n$/,
    )
  })

  it.each([
    ['send discord', 'This provider signs with a private key, which only a run with secrets of its own keeps: unset'],
    ['send payment --resend nothing', 'The service answers 404: Webhook event not found\n'],
    ['send payment --url http://127.0.0.1:9', 'Nothing answers at http://127.0.0.1:9: start the service first.\n'],
  ])('%s: one line', async (line, problem) => {
    const { code, stdout, stderr } = await run(line)
    expect({ code, stdout, lines: stderr.split('\n').length }).toEqual({ code: 1, stdout: '', lines: 2 })
    expect(stderr).toContain(problem)
  })
})

describe.concurrent('npx gatehouse token', () => {
  const infoOf = (token: string) => call('/api/auth/info', bearer(token.trim()))

  it.each<[string, object]>([
    ['admin', { username: 'admin', authorities: [{ authority: 'ROLE_ADMIN' }] }],
    ['eve --role ROLE_ADMIN', { username: 'eve', authorities: [{ authority: 'ROLE_ADMIN' }] }],
    ['user --url', { username: 'user', authorities: [{ authority: 'ROLE_USER' }] }],
  ])('%s: prints a token and nothing else, and the service accepts it', async (line, whoami) => {
    const { code, stdout, stderr } = await run(`token ${line}${line.endsWith('--url') ? ` ${inject('http')}` : ''}`)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/)
    expect((await infoOf(stdout)).json).toMatchObject({ authenticated: true, ...whoami })
  })

  it('--ttl sets the lifetime of the token', async () => {
    const { stdout } = await run('token admin --ttl 60')
    const { iat, exp } = JSON.parse(Buffer.from(stdout.split('.')[1] ?? '', 'base64url').toString())
    expect(exp - iat).toBe(60)
    expect((await infoOf(stdout)).json.tokenExpiresAt).toBe(new Date(exp * 1000).toISOString())
  })

  it.each([
    ['--expired', 'EXPIRED'],
    ['--tamper', 'INVALID_SIGNATURE'],
  ])('%s: the service says %s', async (option, tokenStatus) => {
    const { status, json } = await infoOf((await run(`token admin ${option}`)).stdout)
    expect([status, json.details.tokenStatus]).toEqual([401, tokenStatus])
  })
})

describe.concurrent('npx gatehouse seed', () => {
  it('stores the events of a day in the tables of the service, and changes nothing when it is run twice', async () => {
    const made = await run('seed --events 30 --seed 7')
    expect([made.code, made.stderr]).toEqual([0, ''])
    const [first = '', ...rows] = made.stdout.trimEnd().split('\n')
    expect(first).toMatch(/^30 events of the last 24 hours, in [\d.]+ s$/)
    const counts = rows.map((row) => Number(row.slice(0, 7)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(30)
    // This service scans each second, so it may have been the first to try something again.
    expect(rows[0]).toMatch(/^ +\d+ {2}PROCESSED$/)
    expect((await run('seed --events 30 --seed 7')).stdout).toMatch(/\n +30 {2}there already\n$/)
  })
})
