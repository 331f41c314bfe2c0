import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { edgeSettings } from '../../../../lib/runtime/settings/edge.ts'
import {
  arePasskeysOn,
  passkeyOffer,
  passkeySettings,
  passkeysDeployed,
} from '../../../../lib/runtime/settings/login.ts'

const SETTINGS = { ...edgeSettings, ...passkeySettings }
const load = (environment: Record<string, string>) =>
  loadConfig(SETTINGS, [passkeysDeployed], { BASE_URL: 'https://gatehouse.example', ...environment })

describe('PASSKEYS', () => {
  it.each([
    [{ STAGE: 'local' }, true],
    [{ STAGE: 'local', PASSKEYS: 'off' }, false],
    [{ STAGE: 'prod' }, false],
    [{ STAGE: 'prod', PASSKEYS: 'on' }, true],
  ])('%j: %s', (environment, isOn) => {
    expect(arePasskeysOn(load(environment))).toBe(isOn)
  })

  it('accepts no other word', () => {
    expect(() => load({ PASSKEYS: 'yes' })).toThrow('PASSKEYS: must be one of on, off')
  })

  it.each(['https://192.0.2.1', 'https://[2001:db8::1]'])(
    'need a host name on a deployed stage: not %s',
    (BASE_URL) => {
      expect(() => load({ STAGE: 'prod', PASSKEYS: 'on', BASE_URL })).toThrow(
        'PASSKEYS: need a BASE_URL with a host name',
      )
      expect(() => load({ STAGE: 'prod', BASE_URL })).not.toThrow()
    },
  )

  it.each([
    ['http://127.0.0.1:3000', 'needs-name'],
    ['http://[::1]:3000', 'needs-name'],
    ['http://localhost:3000', 'on'],
  ])('a local run at %s offers them on its pages: %s', (BASE_URL, offer) => {
    expect(passkeyOffer(load({ BASE_URL }))).toBe(offer)
    expect(passkeyOffer(load({ BASE_URL, PASSKEYS: 'off' }))).toBe('off')
  })
})
