import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AccessLine } from '../../localstack/strict/gateway.ts'
import { rateOf } from '../../localstack/strict/routes.ts'
import { LIMITS, RULES, type RuleName } from '../../localstack/strict/rules.ts'
import { type StrictWorld, startStrict, stopStrict } from '../support/strict.ts'

const given = (result: unknown) => ({
  body: JSON.stringify(result),
  headers: [['Content-Type', 'application/json']] as const,
})
const gateways = (status: number, message: string) => ({ status, json: { message } })
const stateOf = (pid: number) => spawnSync('ps', ['-o', 'stat=', '-p', `${pid}`], { encoding: 'utf8' }).stdout.charAt(0)

let world: StrictWorld
beforeAll(async () => {
  world = await startStrict()
})
afterAll(stopStrict)

/** For each rule something that breaks it, and its like that does not. */
const VIOLATIONS: Readonly<Record<RuleName, () => Promise<void>>> = {
  async eventSize() {
    const quotes = (count: number) => ({ body: '"'.repeat(count), headers: [['Content-Type', 'text/plain']] as const })
    expect(await world.ask('/raw', quotes(3_200_000))).toMatchObject(gateways(413, 'Request Entity Too Large'))
    expect(await world.ask('/raw', quotes(3_100_000))).toMatchObject({ status: 200 })
    expect(await world.ask('/raw', { body: Buffer.alloc(4_800_000) })).toMatchObject({ status: 413 })
    expect(await world.ask('/raw', { body: Buffer.alloc(4_600_000) })).toMatchObject({ status: 200 })
  },
  async resultSize() {
    expect(await world.ask('/large?6291556')).toMatchObject(gateways(500, 'Internal Server Error'))
    expect(await world.ask('/large?6291500')).toMatchObject({ status: 200 })
  },
  async bodySize() {
    const { ask } = await startStrict({ limits: { body: 10 } })
    expect(await ask('/raw', { body: 'x'.repeat(11) })).toMatchObject(gateways(413, 'Request Entity Too Large'))
    expect(await ask('/raw', { body: 'x'.repeat(10) })).toMatchObject({ status: 200 })
    expect(LIMITS.body).toBe(10_485_760)
  },
  async headerSize() {
    const long = (length: number) => ({ headers: [['X-Long', 'x'.repeat(length)]] as const })
    expect(await world.ask('/raw', long(10_300))).toMatchObject(gateways(431, 'Request Header Fields Too Large'))
    expect(await world.ask('/raw', long(10_100))).toMatchObject({ status: 200 })
    expect(await world.ask(`/raw?${'x'.repeat(10_300)}`)).toMatchObject({ status: 431 })
  },
  async integrationTimeout() {
    const { ask, lambda } = await startStrict({ limits: { integration: 200 } })
    await lambda.invoke('counter', { rawQueryString: '0' })
    expect(await ask('/counter?1000')).toMatchObject(gateways(503, 'Service Unavailable'))
    // It has gone on: a call at the same time needs another process.
    await vi.waitUntil(async () => (await ask('/counter?0')).json?.calls > 2)
    expect(LIMITS.integration).toBe(30_000)
  },
  async functionTimeout() {
    const { ask, lambda } = await startStrict({ changes: { timeoutSeconds: 1 } })
    await ask('/counter?0')
    const [answer, { isError, payload }] = await Promise.all([ask('/counter?5000'), lambda.invoke('sleeper', {})])
    expect(answer).toMatchObject(gateways(500, 'Internal Server Error'))
    expect([isError, JSON.parse(payload).errorType]).toEqual([true, 'Sandbox.Timedout'])
    expect((await ask('/counter?0')).json.calls).toBe(1)
  },
  async oneCall() {
    const { ask } = await startStrict()
    const warm = await ask('/counter?0')
    const both = await Promise.all([ask('/counter?300'), ask('/counter?300')])
    const calls = new Map(both.map(({ json }) => [json.pid, json.calls]))
    expect(calls.get(warm.json.pid)).toBe(2)
    expect([...calls.values()].sort()).toEqual([1, 2])
  },
  async frozen() {
    const { ask } = await startStrict()
    for (const calls of [1, 2]) {
      const { json } = await ask('/counter?0')
      expect(json.calls).toBe(calls)
      await vi.waitUntil(() => stateOf(json.pid) === 'T')
    }
  },
  async concurrency() {
    const { ask, invoke } = await startStrict({ concurrency: 1 })
    const answers = await Promise.all([ask('/counter?300'), ask('/counter?300')])
    const refused = answers.find(({ status }) => status !== 200)
    expect(refused).toMatchObject(gateways(503, 'Service Unavailable'))
    const first = ask('/counter?300')
    const path = '/2015-03-31/functions/raw/invocations'
    await vi.waitUntil(async () => (await invoke(path, { body: '{}' })).status === 429)
    expect((await first).status).toBe(200)
    expect(await invoke(path, { body: '{}' })).toMatchObject({ status: 200, text: '"plain"' })
  },
  async rate() {
    let now = 0
    const { ask } = await startStrict({ rate: rateOf({ perSecond: 10, burst: 2 }, () => now) })
    const statuses = async (count: number) => {
      const all: (number | undefined)[] = []
      for (let call = 0; call < count; call++) all.push((await ask('/raw')).status)
      return all
    }
    expect(await statuses(3)).toEqual([200, 200, 429])
    expect(await ask('/raw')).toMatchObject(gateways(429, 'Too Many Requests'))
    now = 100
    expect(await statuses(2)).toEqual([200, 429])
    now = 10_000
    expect(await statuses(3)).toEqual([200, 200, 429])
  },
  async loop() {
    const invocation = (count: number) => ({
      headers: [['X-Amzn-Trace-Id', `Root=1-2-3;Lineage=1:abcd:${count}`]] as const,
      body: '{}',
    })
    const path = '/2015-03-31/functions/raw/invocations'
    expect(await world.invoke(path, invocation(15))).toMatchObject({ status: 200 })
    const stopped = await world.invoke(path, invocation(16))
    expect(stopped).toMatchObject({ status: 400, headers: { 'x-amzn-errortype': 'RecursiveInvocationException' } })
    expect(await (await startStrict({ changes: { mayLoop: true } })).invoke(path, invocation(16))).toMatchObject({
      status: 200,
    })
  },
  async functionError() {
    for (const path of ['/thrower', '/leaver']) {
      const answer = await world.ask(path)
      expect(answer).toMatchObject(gateways(500, 'Internal Server Error'))
      expect(answer.text).not.toContain('secret')
    }
  },
  async malformedResult() {
    const broken = [
      { statusCode: 99 },
      { statusCode: 200, headers: { 'x-list': ['a', 'b'] } },
      { statusCode: 200, cookies: 'a=1' },
      { statusCode: 200, body: { a: 1 } },
    ]
    for (const result of broken) {
      expect(await world.ask('/given', given(result)), JSON.stringify(result)).toMatchObject(
        gateways(500, 'Internal Server Error'),
      )
    }
    expect(await world.ask('/given', given({ statusCode: 201, headers: { 'x-count': 1 } }))).toMatchObject({
      status: 201,
      headers: { 'x-count': '1' },
    })
  },
  async plainResult() {
    expect(await world.ask('/given', given({ name: 'Ada' }))).toMatchObject({
      status: 200,
      text: '{"name":"Ada"}',
      headers: { 'content-type': 'application/json' },
    })
    expect(await world.ask('/raw')).toMatchObject({ status: 200, text: '"plain"' })
    const { headers } = await world.ask('/given', given({ statusCode: 200, body: 'text' }))
    expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  },
  async challenge() {
    const { headers } = await world.ask(
      '/given',
      given({ statusCode: 401, headers: { 'WWW-Authenticate': 'Bearer realm="API"' } }),
    )
    expect(headers).toMatchObject({ 'x-amzn-remapped-www-authenticate': 'Bearer realm="API"' })
    expect(headers).not.toHaveProperty('www-authenticate')
  },
  async ownHeaders() {
    const said = { Date: 'never', Connection: 'close', 'Content-Length': '1', Server: 'mine', 'X-Mine': 'yes' }
    const { headers, text } = await world.ask(
      '/given',
      given({ statusCode: 200, headers: said, cookies: ['a=1', 'b=2'], body: 'text' }),
    )
    expect(text).toBe('text')
    expect(headers).toMatchObject({
      connection: 'keep-alive',
      'content-length': '4',
      'x-amzn-remapped-server': 'mine',
      'x-mine': 'yes',
      'set-cookie': ['a=1', 'b=2'],
    })
    expect(headers['date']).not.toBe('never')
    expect(headers).not.toHaveProperty('server')
  },
  async requestHeaders() {
    const headers = [
      ['X-Many', 'one'],
      ['x-many', 'two'],
      ['Cookie', 'a=1; b=2'],
      ['TE', 'trailers'],
    ] as const
    const { json } = await world.ask('/echo', { headers })
    expect(json.headers).toMatchObject({ 'x-many': 'one,two', host: 'api.example' })
    expect(json.cookies).toEqual(['a=1', 'b=2'])
    for (const name of ['cookie', 'connection', 'te']) expect(json.headers).not.toHaveProperty(name)
  },
  async forwarded() {
    const { json } = await world.ask('/echo', {
      headers: [
        ['X-Forwarded-For', '203.0.113.9'],
        ['X-Amzn-Trace-Id', 'mine'],
        ['X-Forwarded-Proto', 'ftp'],
      ],
    })
    expect(json.headers).toMatchObject({ 'x-forwarded-for': '203.0.113.9, 127.0.0.1', 'x-forwarded-proto': 'https' })
    expect(json.headers['x-amzn-trace-id']).toMatch(/^Root=1-[0-9a-f]{8}-[0-9a-f]{24}$/)
    expect(json.requestContext.http).toMatchObject({ sourceIp: '127.0.0.1', method: 'GET' })
  },
  async path() {
    const { json } = await world.ask('/echo/a%20b%253F%3Fc?q=%20x&q=y')
    expect(json).toMatchObject({
      rawPath: '/echo/a b%3F',
      rawQueryString: 'q=%20x&q=y',
      queryStringParameters: { q: ' x,y' },
      pathParameters: { id: 'a b%3F?c' },
      routeKey: 'ANY /echo/{id}',
    })
    expect(json.requestContext.http.path).toBe('/echo/a b%3F')
  },
  async malformedPath() {
    expect(await world.ask('/echo/%zz')).toMatchObject(gateways(400, 'Bad Request'))
  },
  async bodyEncoding() {
    const sent = async (type: string) => {
      const { json } = await world.ask('/echo', { body: 'ä', headers: [['Content-Type', type]] })
      return [json.body, json.isBase64Encoded]
    }
    for (const type of ['text/csv', 'application/json; charset=utf-8', 'application/xml'])
      expect(await sent(type)).toEqual(['ä', false])
    for (const type of ['application/x-www-form-urlencoded', 'image/png'])
      expect(await sent(type)).toEqual(['w6Q=', true])
    expect((await world.ask('/echo')).json).toMatchObject({ isBase64Encoded: false })
  },
  async anyMethod() {
    const keyOf = async (path: string, body?: string) =>
      (await world.ask(path, body === undefined ? {} : { body })).json.requestContext.routeKey
    expect(await keyOf('/echo')).toBe('ANY /echo')
    expect(await keyOf('/echo', '{}')).toBe('POST /echo')
    expect(await keyOf('/echo/1', '{}')).toBe('ANY /echo/{id}')
  },
  async noRoute() {
    expect(await world.ask('/nothing')).toMatchObject(gateways(404, 'Not Found'))
    expect(await world.ask('/echo/')).toMatchObject(gateways(404, 'Not Found'))
  },
  async temporary() {
    const full = await world.ask(`/filler?${LIMITS.temporary}`)
    expect(full).toMatchObject({ status: 200, json: { found: [] } })
    expect((await world.ask('/filler?1')).json).toEqual({ ...full.json, found: ['file'] })
    expect(await world.ask(`/filler?${LIMITS.temporary + 1}`)).toMatchObject(gateways(500, 'Internal Server Error'))
    expect((await world.ask('/filler?1')).json).toEqual({ pid: expect.any(Number), found: [] })
  },
  async environment() {
    vi.stubEnv('ONLY_IN_THE_SHELL', 'yes')
    const { ask } = await startStrict({ changes: { environment: { OWN: 'yes' } } })
    const { json } = await ask('/environment')
    expect(json).toEqual(expect.arrayContaining(['OWN', 'AWS_LAMBDA_FUNCTION_NAME', 'TMPDIR']))
    expect(json).not.toContain('ONLY_IN_THE_SHELL')
    vi.unstubAllEnvs()
  },
}

describe('a strict run has the rule:', () => {
  const rules = (Object.keys(RULES) as RuleName[]).map((name) => ({ name, rule: RULES[name].rule }))

  it.each(rules)('$name: $rule', ({ name }) => VIOLATIONS[name]())
})

describe('Lambda’s processes', () => {
  const isThere = (pid: number) =>
    execFileSync('ps', ['-eo', 'pid='], { encoding: 'utf8' }).split(/\s+/).includes(`${pid}`)

  it('end with it, including stopped ones', async () => {
    const { ask, lambda } = await startStrict()
    const { json } = await ask('/counter?0')
    await vi.waitUntil(() => stateOf(json.pid) === 'T')
    await lambda.stop()
    expect(isThere(json.pid)).toBe(false)
  })

  it('end with the process that started them, even if it is killed', async () => {
    const child = spawn(execPath, ['test/support/strict-victim.ts'], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = await once(createInterface(child.stdout), 'line')
    const pid = Number(line)
    await vi.waitUntil(() => stateOf(pid) === 'T')
    child.kill('SIGKILL')
    await vi.waitUntil(() => ['', 'Z'].includes(stateOf(pid)))
  })

  it('are not kept forever: the least recently used one ends first', async () => {
    const { ask } = await startStrict({ mostIdle: 1 })
    const { json } = await ask('/counter?0')
    await ask('/raw')
    await vi.waitUntil(() => !isThere(json.pid))
    expect((await ask('/counter?0')).json.calls).toBe(1)
  })

  it('are refused by name for an unknown function', async () => {
    expect(await world.invoke('/2015-03-31/functions/nobody/invocations', { body: '{}' })).toMatchObject({
      status: 404,
    })
    expect(await world.invoke('/2015-03-31/functions/raw/invocations', { body: '{' })).toMatchObject({ status: 400 })
  })
})

describe('the access log of the gateway', () => {
  it('has a line for each answer, with the id that the function and the caller receive, and with whether Lambda was called', async () => {
    const lines: AccessLine[] = []
    const { ask } = await startStrict({
      rate: rateOf({ perSecond: 0.001, burst: 2 }, Date.now),
      log: (line) => lines.push(line),
    })
    const { json, headers } = await ask('/echo?q=secret')
    await ask('/thrower')
    await ask('/raw')
    const { requestId } = json.requestContext
    expect([headers['apigw-requestid'], lines[0]?.requestId]).toEqual([requestId, requestId])
    const seen = lines.map(({ path, routeKey, status, integrationStatus }) => [
      path,
      routeKey,
      status,
      integrationStatus,
    ])
    expect(seen).toEqual([
      ['/echo', 'ANY /echo', '200', '200'],
      ['/thrower', 'ANY /thrower', '500', '200'],
      ['/raw', 'ANY /raw', '429', '-'],
    ])
  })
})
