import { describe, expect, it } from 'vitest'
import { loadConfig } from '../../../../lib/runtime/config.ts'
import { consoleSettings, noDemoDeployed } from '../../../../lib/runtime/settings/console.ts'
import { edgeSettings } from '../../../../lib/runtime/settings/edge.ts'
import { DEMO_TOKENS, DEMO_USERS } from '../../../support/fakes/pages.ts'

const settings = { ...consoleSettings, STAGE: edgeSettings.STAGE }
const load = (environment: Readonly<Record<string, string>>) => loadConfig(settings, [noDemoDeployed], environment)

it('the console shows no other channel, no user and no token by default', () => {
  expect(load({})).toEqual({ STAGE: 'local', DEMO_USERS: [] })
})

describe('STOMP_URL', () => {
  it.each(['ws://127.0.0.1:3001/ws', 'wss://stomp.example/ws?a=1'])('is an address: %s', (address) => {
    expect(load({ STOMP_URL: address }).STOMP_URL?.href).toBe(address)
  })

  it.each(['127.0.0.1:3001', 'http://127.0.0.1/ws', 'ws://user@127.0.0.1/ws', 'ws://a/#b'])('is not %s', (address) => {
    expect(() => load({ STOMP_URL: address })).toThrow(
      'STOMP_URL: must be a ws or wss address, without user or fragment',
    )
  })
})

describe('GRPC_URL', () => {
  it.each(['http://127.0.0.1:5051', 'https://grpc.example'])('is an address: %s', (address) => {
    expect(load({ GRPC_URL: address }).GRPC_URL?.origin).toBe(address)
  })

  it.each(['127.0.0.1:5051', 'grpc://a', 'http://user@a', 'http://a/b', "http://a/?'"])('is not %s', (address) => {
    expect(() => load({ GRPC_URL: address })).toThrow(
      'GRPC_URL: must be an http or https address, without user or path',
    )
  })
})

describe('C07 DEMO_USERS', () => {
  const text = JSON.stringify(DEMO_USERS)

  it('are a list', () => {
    expect(load({ DEMO_USERS: text }).DEMO_USERS).toEqual(DEMO_USERS)
  })

  it.each(['{', '{}', '[{"username":"a"}]', '[{"username":"a","password":"b","role":null,"store":"google"}]'])(
    'are not %s, which is not repeated',
    (wrong) => {
      expect(() => load({ DEMO_USERS: wrong })).toThrow(
        /^Wrong settings:\n {2}DEMO_USERS: must be a JSON list of username, password, role and store$/,
      )
    },
  )

  it('prevent the start of a deployed stage', () => {
    const STAGE = 'dev'
    expect(() => load({ STAGE, DEMO_USERS: text })).toThrow('DEMO_USERS: belong to local runs only')
    expect(load({ STAGE, DEMO_USERS: '[]' }).DEMO_USERS).toEqual([])
  })
})

describe('C07 DEMO_TOKENS', () => {
  const text = JSON.stringify(DEMO_TOKENS)

  it('are complete', () => {
    expect(load({ DEMO_TOKENS: text }).DEMO_TOKENS).toEqual(DEMO_TOKENS)
  })

  it.each(['{', '[]', '{"expired":"a.b.c"}'])('are not %s', (wrong) => {
    expect(() => load({ DEMO_TOKENS: wrong })).toThrow(
      'DEMO_TOKENS: must be a JSON object of expired, notYetValid, withoutRole, unknownRole and revoked',
    )
  })

  it('prevent the start of a deployed stage', () => {
    expect(() => load({ STAGE: 'prod', DEMO_TOKENS: text })).toThrow('DEMO_TOKENS: belong to local runs only')
  })
})
