import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { sendRequest } from '../../../../lib/adapters/aws/client.ts'

const TRACE = 'Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1;Lineage=1:feedbeef:2'

let seen: IncomingHttpHeaders = {}
const server = createServer((request, response) => {
  seen = request.headers
  response.end()
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => void server.close())
afterEach(() => vi.unstubAllEnvs())

const send = () =>
  sendRequest(
    new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '' },
    { timeout: 5000 },
  )

it('a request during a call carries the trace of that call', async () => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'gatehouse-prod-webhookStripe')
  vi.stubEnv('_X_AMZN_TRACE_ID', TRACE)
  await send()
  expect(seen).toMatchObject({ 'x-amzn-trace-id': TRACE, 'content-type': 'text/plain' })
})

it.each([
  ['outside of Lambda', '', TRACE],
  ['in a function before its first call', 'gatehouse-prod-webhookStripe', ''],
])('%s a request carries no trace', async (_, name, trace) => {
  vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', name)
  vi.stubEnv('_X_AMZN_TRACE_ID', trace)
  await send()
  expect(seen).not.toHaveProperty('x-amzn-trace-id')
})
