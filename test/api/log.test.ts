import { describe, expect, inject, it, vi } from 'vitest'
import { demoUser, tokenOf } from '../support/accounts.ts'
import { bearer, call, form } from '../support/client.ts'
import { payment, postJson, postPayment } from '../support/events.ts'
import { sendRaw } from '../support/raw-socket.ts'
import { linesWith, logLines } from '../support/service-log.ts'

it('W25 the log contains one audit line for each decision on a webhook, under the id of its call', async () => {
  const stored = payment()
  await postPayment(stored)
  await postPayment(stored)
  await postPayment({ ...stored, eventId: `${stored['eventId']}-2`, orderId: 'another-order' })
  await postPayment(stored, { 'x-signature': 'wrong' })

  const decisionsIn = (lines: readonly string[]) =>
    lines
      .filter((line) => line.includes('"audit"') && line.includes(String(stored['eventId'])))
      .map((line) => JSON.parse(line).decision)
  await vi.waitUntil(() => decisionsIn(logLines()).length >= 3, 20_000)
  const lines = logLines()
  expect(decisionsIn(lines).slice(0, 3)).toEqual(['processed', 'duplicate', 'failed'])
  expect(lines.filter((line) => line.includes('"decision":"refused"'))).not.toEqual([])
  const nameless = lines.filter(
    (line) => /"(audit|request refused)"/.test(line) && !/"(request|message)Id":"./.test(line),
  )
  expect(nameless.join('\n')).toBe('')
})

it('N2 a decision names its call, as the answer does, and the address of its caller', async () => {
  const mark = crypto.randomUUID()
  const answers = [
    await postPayment(payment({ eventId: `${mark}-1` })),
    await postPayment(payment({ eventId: `${mark}-2` }), { 'x-signature': 'wrong' }),
  ]
  const ids = answers.map(({ headers }) => headers['apigw-requestid'])
  expect(new Set(ids).size).toBe(2)
  const decisions = (await Promise.all(ids.map((id) => linesWith([`"requestId":"${id}"`, '"audit"'])))).flat()
  expect(decisions.map((line) => JSON.parse(line))).toMatchObject([
    { decision: 'processed', requestId: ids[0], from: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) },
    { decision: 'refused', requestId: ids[1], from: expect.stringMatching(/^(127\.0\.0\.1|::1)$/) },
  ])
  const [one, other] = decisions.map((line) => JSON.parse(line).traceId)
  expect(one).not.toBe(other)
})

describe('H21 input of a caller', () => {
  it('cannot start a log line, color a terminal or imitate a log entry', async () => {
    const mark = `forged-${crypto.randomUUID()}`
    const forged = `${mark}\r\n{"level":"INFO","message":"${mark}"}\n\u001b[31m\u0085\u2028\u009b2J`
    const { password } = demoUser('admin')
    await call('/api/auth/login', form({ username: forged, password }))
    await call(`/api/${encodeURIComponent(forged)}`)
    await call('/webhooks/payment', postJson(payment({ eventId: forged, transactionId: forged })))
    await call(`/api/webhooks/events/payment/${encodeURIComponent(forged)}`, bearer(await tokenOf('admin')))
    const request = `GET /api/${mark}\x85 HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: ${mark}\x1b[31m\x9b2J\r\nConnection: close\r\n\r\n`
    await sendRaw(inject('http'), request)
    await call(`/nothing/${mark}`)

    const lines = await linesWith([mark])
    for (const line of lines) {
      expect(JSON.parse(line)).toMatchObject({ level: expect.any(String), timestamp: expect.any(String) })
      expect(JSON.parse(line).message).not.toBe(mark)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/)
    }
  })
})

it('H29 a call is logged under the id of the gateway, not under an id of its caller', async () => {
  const mark = crypto.randomUUID()
  const names = [
    'x-request-id',
    'x-amzn-requestid',
    'x-amzn-trace-id',
    'x-correlation-id',
    'apigw-requestid',
    'traceparent',
  ]
  const { headers } = await call(`/nothing/${mark}`, {
    headers: Object.fromEntries(names.map((name) => [name, `forged-${mark}`])),
  })
  const lines = await linesWith([mark])
  expect(lines).toHaveLength(1)
  expect(lines.join()).not.toContain('forged')
  expect(JSON.parse(lines.join()).requestId).toMatch(/./)
  expect(JSON.stringify(headers)).not.toContain('forged')
})

it('H29 the trace of the caller is recorded apart from that of the call, and its flag is ignored', async () => {
  const mark = crypto.randomUUID()
  const callerTraceId = '0af7651916cd43dd8448eb211c80319c'
  await call(`/nothing/${mark}`, { headers: { traceparent: `00-${callerTraceId}-b7ad6b7169203331-01` } })
  const [line = ''] = await linesWith([mark])
  expect(JSON.parse(line)).toMatchObject({ callerTraceId, traceId: expect.stringMatching(/^[0-9a-f]{32}$/) })
  expect(JSON.parse(line).traceId).not.toBe(callerTraceId)
})

it('every line of the functions names its call, its message or its process, and every line of a call or a message names its trace', () => {
  const entries = logLines().flatMap((line) => (/^\{.*"level":/.test(line) ? [JSON.parse(line)] : []))
  expect(entries.length).toBeGreaterThan(0)
  expect(entries.filter(({ requestId, messageId, instance }) => !(requestId || messageId || instance))).toEqual([])
  expect(entries.filter(({ traceId, instance }) => !(traceId || instance))).toEqual([])
})

describe('the gateway', () => {
  it('H30 does not allow callers to invoke functions by name', async () => {
    const path = '/2015-03-31/functions/gatehouse-local-publicHello/invocations'
    expect((await call(path, postJson({}))).status).toBe(404)
  })
})
