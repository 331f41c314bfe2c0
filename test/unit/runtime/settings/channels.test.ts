import { expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { channelRules, channelSettings } from '../../../../lib/runtime/settings/channels.ts'

it('T17 the channels listen on this machine only by default', () => {
  expect(loadConfig(channelSettings, [], {}).CHANNELS_HOST).toBe('127.0.0.1')
})

it('the channels allow at least as many frames at once as in a second', () => {
  const load = (rate: string, burst: string) =>
    loadConfig(channelSettings, channelRules, { STOMP_FRAMES_PER_SECOND: rate, STOMP_FRAME_BURST: burst })
  expect(load('200', '200')).toMatchObject({ STOMP_FRAMES_PER_SECOND: 200, STOMP_FRAME_BURST: 200 })
  expect(() => load('201', '200')).toThrow('STOMP_FRAME_BURST: must be at least STOMP_FRAMES_PER_SECOND')
})
