import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { obstacleTo, subProtocolOf } from '../../../lib/stomp/upgrade.ts'

const PARTS = { baseUrl: new URL('https://api.example.com'), trustedOrigins: ['https://console.example.com'] }

const request = (url: string, origin?: string) => ({ url, headers: { origin } }) as unknown as IncomingMessage

it.each([
  [['v10.stomp', 'v11.stomp', 'v12.stomp'], 'v12.stomp'],
  [['v10.stomp', 'v11.stomp'], 'v11.stomp'],
  [['mqtt', 'v10.stomp'], 'v10.stomp'],
  [['mqtt', ''], false],
  [[], false],
])('of the sub-protocols %j %s is chosen', (offered, chosen) => {
  expect(subProtocolOf(new Set(offered))).toBe(chosen)
})

describe('a WebSocket is opened', () => {
  it.each([undefined, 'https://api.example.com', 'https://console.example.com'])(
    'for a client of the origin %s',
    (origin) => {
      expect(obstacleTo(request('/ws', origin), PARTS, false)).toBeUndefined()
    },
  )

  it.each(['null', '', 'https://evil.example', 'http://api.example.com', 'https://api.example.com.evil.example'])(
    'not for a page of the origin “%s”',
    (origin) => {
      expect(obstacleTo(request('/ws', origin), PARTS, false)).toBe(403)
    },
  )

  it.each(['/', '/ws/', '/WS', '//ws', '/ws%20'])('nowhere but at its path: not at %s', (url) => {
    expect(obstacleTo(request(url), PARTS, false)).toBe(404)
  })

  it('while there is room', () => {
    expect(obstacleTo(request('/ws?token=x'), PARTS, true)).toBe(503)
  })
})
