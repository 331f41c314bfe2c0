import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, describe, expect, it } from 'vitest'
import { ROUTES } from '../../../../lib/contract/gen/endpoints.ts'
import type { Route } from '../../../../lib/contract/route.ts'
import { apiGate, guard, machineGate, providerGate } from '../../../../localstack/stack/guard.ts'

const BASE_URL = new URL('https://Tunnel.example:8443')
const PARTNER = 'https://partner.example'
const EVIL = 'https://evil.example'

const GATES = {
  api: apiGate({ baseUrl: BASE_URL, trustedOrigins: [PARTNER] }),
  machine: machineGate(BASE_URL),
  provider: providerGate(BASE_URL),
}

function answerOf(gate: keyof typeof GATES, headers: Readonly<Record<string, string | string[]>>, url = '/') {
  const headersDistinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()]))
  return GATES[gate]({ headersDistinct, url })?.status ?? 'passes'
}

const gates = Object.keys(GATES) as readonly (keyof typeof GATES)[]

describe.each(gates)('E02 the gate of the %s', (gate) => {
  it.each([
    ['passes', 'localhost'],
    ['passes', 'tunnel.example'],
    ['passes', 'TUNNEL.example:1'],
    [421, 'evil.example'],
    [421, ['localhost', 'localhost']],
    [421, []],
  ] as const)('%s a request to the host %j', (answer, host) => {
    expect(answerOf(gate, { host: [host].flat() })).toBe(answer)
  })
})

describe('E01 pages of other origins cannot reach an endpoint for signed requests', () => {
  const signed = Object.entries<Route>(ROUTES).filter(([, { access }]) => access === 'signature')

  it.each(signed)('%s', (_, { path }) => {
    const url = path.replace('{provider}', 'demo')
    expect(answerOf('api', { host: 'localhost', origin: EVIL }, url)).toBe(403)
    expect(answerOf('api', { host: 'localhost', origin: PARTNER }, url)).toBe('passes')
    expect(answerOf('api', { host: 'localhost', origin: [PARTNER, EVIL] }, url)).toBe(403)
  })

  it('a malformed path is passed to the gateway', () => {
    expect(answerOf('api', { host: 'localhost', origin: EVIL }, '/webhooks/%zz')).toBe('passes')
  })
})

describe('a page of another origin is refused in the shape of the endpoint', () => {
  const servers: Server[] = []
  afterAll(() => Promise.all(servers.map((server) => new Promise((done) => server.close(done)))))

  async function refusalAt(path: string, headers: Readonly<Record<string, string>>) {
    const server = guard(
      createServer((_request, response) => response.end()),
      GATES.api,
    ).listen(0, '127.0.0.1')
    servers.push(server)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers })
    return [answer.status, answer.headers.get('content-type'), await answer.text()] as const
  }

  const message = 'Origin is not trusted: name it in TRUSTED_ORIGINS'

  it.each(['stripe', 'github', 'demo', 'DEMO'])('as text: %s', async (name) => {
    const refusal = [403, 'text/plain; charset=utf-8', message]
    expect(await refusalAt(`/webhooks/${name}`, { origin: EVIL })).toEqual(refusal)
  })

  it.each(['payment', 'order-status'])('as JSON: %s', async (name) => {
    const [status, , body] = await refusalAt(`/webhooks/${name}`, { origin: EVIL })
    expect([status, JSON.parse(body)]).toEqual([403, { success: false, message, timestamp: expect.any(String) }])
  })
})
