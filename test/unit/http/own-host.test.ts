import { describe, expect, it } from 'vitest'
import { ok } from '../../../lib/http/message.ts'
import type { EndpointContext } from '../../../lib/http/middleware/call.ts'
import { onOwnHost } from '../../../lib/http/own-host.ts'
import { NO_NETWORKS } from '../../../lib/runtime/address.ts'
import { fixedClock } from '../../support/fakes/clock.ts'
import { httpEvent } from '../../support/fakes/http.ts'
import { recordingLog } from '../../support/fakes/log.ts'

describe('H27 a local page under another loopback name', () => {
  async function answerAt(host: string | undefined, baseUrl: string, rawQueryString = '') {
    const edge: EndpointContext = {
      clock: fixedClock(),
      log: recordingLog(),
      baseUrl: new URL(baseUrl),
      trustedOrigins: [],
      trustedProxies: NO_NETWORKS,
      profile: 'default',
    }
    const headers: Record<string, string> = host === undefined ? {} : { host }
    const event = httpEvent({ path: '/login', headers, rawQueryString })
    const { statusCode, headers: answered } = await onOwnHost(event, edge, async () => ok({}))
    return statusCode === 200 ? 'answered' : `${statusCode} ${answered['location']}`
  }

  const LOCAL = 'http://localhost:3000'

  it.each([
    ['localhost:3000', LOCAL, 'answered'],
    ['127.0.0.1:3000', LOCAL, '302 http://localhost:3000/login'],
    ['[::1]:3000', LOCAL, '302 http://localhost:3000/login'],
    ['localhost:3000', 'http://127.0.0.1:3000', '302 http://127.0.0.1:3000/login'],
    ['localhost:8080', LOCAL, 'answered'],
    ['127.0.0.1.evil.example', LOCAL, 'answered'],
    ['localhost@evil.example', LOCAL, 'answered'],
    [undefined, LOCAL, 'answered'],
    ['127.0.0.1:3000', 'https://gatehouse.example', 'answered'],
  ])('%s with the base URL %s: %s', async (host, baseUrl, answer) => {
    expect(await answerAt(host, baseUrl)).toBe(answer)
  })

  it('redirects to the same page with the same query', async () => {
    expect(await answerAt('127.0.0.1:3000', LOCAL, 'error&a=%2F')).toBe('302 http://localhost:3000/login?error&a=%2F')
  })
})
