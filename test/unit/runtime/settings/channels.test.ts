import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { channelSettings } from '../../../../lib/runtime/settings/channels.ts'

describe('the settings of the channels', () => {
  it('T17 default to ports 5051 and 3001 on this machine alone, and ten seconds to go', () => {
    expect(loadConfig(channelSettings, [], {})).toEqual({
      CHANNELS_HOST: '127.0.0.1',
      GRPC_PORT: 5051,
      WS_PORT: 3001,
      GRPC_CONNECTION_AGE_SECONDS: 1800,
      STOMP_TCP_PORT: undefined,
      STOMP_CONNECTIONS: 10_000,
      STOMP_CONNECTIONS_PER_USER: 100,
      CHANNELS_ANONYMOUS: 512,
      CHANNELS_ANONYMOUS_PER_ADDRESS: 64,
      DRAIN_SECONDS: 10,
    })
  })

  it.each([
    ['GRPC_PORT', '65536', 'must be at most 65535'],
    ['GRPC_PORT', '-1', 'must be a whole number'],
    ['GRPC_CONNECTION_AGE_SECONDS', '9', 'must be at least 10'],
    ['GRPC_CONNECTION_AGE_SECONDS', '86401', 'must be at most 86400'],
    ['DRAIN_SECONDS', 'soon', 'must be a number'],
  ])('%s is refused as %s', (name, text, rule) => {
    expect(() => loadConfig(channelSettings, [], { [name]: text })).toThrow(`${name}: ${rule}`)
  })
})
