import { Buffer } from 'node:buffer'
import { describe, expect, it } from 'vitest'
import { type ConfigError, loadConfig } from '../../../../lib/runtime/config.ts'
import { LOCAL_KEY_ID, strongKeysDeployed, tokenSettings } from '../../../../lib/runtime/settings/token.ts'

const key = (bytes: number, fill = 7) => Buffer.alloc(bytes, fill).toString('base64url')

function load(environment: Readonly<Record<string, string>>) {
  return loadConfig(tokenSettings, [], environment)
}

describe('J09 JWT_KEYS', () => {
  it('is a ring of kid:base64url whose first key signs', () => {
    const { JWT_KEYS } = load({ JWT_KEYS: `new:${key(64, 1)}, old.1-x_y:${key(65, 2)}` })
    expect(JWT_KEYS).toEqual([
      { kid: 'new', secret: new Uint8Array(64).fill(1) },
      { kid: 'old.1-x_y', secret: new Uint8Array(65).fill(2) },
    ])
  })

  it.each([
    ['a key under 64 bytes stops the start', `a:${key(63)}`, 'key 1 must have at least 64 bytes'],
    ['the short key is named by its position', `a:${key(64)},b:${key(10)}`, 'key 2 must have at least 64 bytes'],
    ['a kid occurs once', `a:${key(64, 1)},a:${key(64, 2)}`, 'must not name a kid twice'],
    ['a key has a kid', key(64), 'key 1 must be kid:base64url'],
    ['a key is base64url, not base64', `a:${key(63)}+/==`, 'key 1 must be kid:base64url'],
    ['an empty list is not a ring', ' , ', 'must hold at least one key'],
  ])('%s', (_, text, rule) => {
    expect(() => load({ JWT_KEYS: text })).toThrow(
      expect.objectContaining<Partial<ConfigError>>({ problems: [`JWT_KEYS: ${rule}`] }),
    )
  })

  it('is not quoted when it is wrong', () => {
    expect(() => load({ JWT_KEYS: 'top:secret' })).not.toThrow(/top|secret/)
  })
})

describe('K01 a deployed stage', () => {
  const random = Uint8Array.from({ length: 64 }, (_, index) => index * 3)
  const ring = (kid: string, secret: Uint8Array<ArrayBuffer>) => [
    { kid: 'own', secret: random },
    { kid, secret },
  ]

  it.each([
    ['the key from a local run', LOCAL_KEY_ID, random, 'the key "local" belongs to local runs only'],
    [
      'a typed key',
      'new',
      new Uint8Array(Buffer.from('my-secret-key'.repeat(5))),
      'key 2 must be random on a deployed stage',
    ],
  ])('refuses %s, and the local stage accepts it', (_, kid, secret, rule) => {
    expect(strongKeysDeployed.broken({ STAGE: 'prod', JWT_KEYS: ring(kid, secret) })).toBe(`JWT_KEYS: ${rule}`)
    expect(strongKeysDeployed.broken({ STAGE: 'local', JWT_KEYS: ring(kid, secret) })).toBeUndefined()
  })

  it('accepts its own keys', () => {
    expect(strongKeysDeployed.broken({ STAGE: 'prod', JWT_KEYS: ring('new', random) })).toBeUndefined()
  })
})
