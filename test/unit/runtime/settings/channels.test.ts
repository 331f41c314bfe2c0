import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { channelRules, channelSettings } from '../../../../lib/runtime/settings/channels.ts'

describe('the settings of the channels', () => {
  it('T17 default to ports 5051 and 3001 on this machine only, and ten seconds to drain', () => {
    expect(loadConfig(channelSettings, [], {})).toEqual({
      CHANNELS_HOST: '127.0.0.1',
      GRPC_PORT: 5051,
      WS_PORT: 3001,
      GRPC_CONNECTION_AGE_SECONDS: 1800,
      STOMP_CONNECTIONS: 10_000,
      STOMP_CONNECTIONS_PER_USER: 100,
      CHANNELS_ANONYMOUS: 512,
      CHANNELS_ANONYMOUS_PER_ADDRESS: 64,
      STOMP_HEART_BEAT_SECONDS: 10,
      STOMP_BODY_BYTES: 65_536,
      STOMP_FRAMES_PER_SECOND: 100,
      STOMP_FRAME_BURST: 1000,
      DRAIN_SECONDS: 10,
    })
  })

  it.each([
    ['GRPC_PORT', '65536', 'must be at most 65535'],
    ['GRPC_CONNECTION_AGE_SECONDS', '9', 'must be at least 10'],
    ['GRPC_CONNECTION_AGE_SECONDS', '86401', 'must be at most 86400'],
    ['DRAIN_SECONDS', 'soon', 'must be a number'],
    ['STOMP_HEART_BEAT_SECONDS', '0', 'must be at least 1'],
    ['STOMP_HEART_BEAT_SECONDS', '61', 'must be at most 60'],
    ['STOMP_BODY_BYTES', '1023', 'must be at least 1024'],
    ['STOMP_BODY_BYTES', '180001', 'must be at most 180000'],
    ['STOMP_FRAMES_PER_SECOND', '0', 'must be at least 1'],
    ['STOMP_FRAME_BURST', '10001', 'must be at most 10000'],
  ])('%s is refused as %s', (name, text, rule) => {
    expect(() => loadConfig(channelSettings, [], { [name]: text })).toThrow(`${name}: ${rule}`)
  })

  it('allow at least as many frames at once as in a second', () => {
    const load = (rate: string, burst: string) =>
      loadConfig(channelSettings, channelRules, { STOMP_FRAMES_PER_SECOND: rate, STOMP_FRAME_BURST: burst })
    expect(load('200', '200')).toMatchObject({ STOMP_FRAMES_PER_SECOND: 200, STOMP_FRAME_BURST: 200 })
    expect(() => load('201', '200')).toThrow('STOMP_FRAME_BURST: must be at least STOMP_FRAMES_PER_SECOND')
  })
})
