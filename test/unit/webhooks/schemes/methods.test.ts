import { generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  ECDSA_P256,
  ED25519,
  ED25519_WHPK,
  ES256_JWK,
  HMAC_SHA1,
  HMAC_SHA256,
  HMAC_SHA256_HEX_KEY,
  HMAC_SHA256_WHSEC,
  type Method,
  macOf,
  RSA_SHA256_NAMED,
  TOKEN,
} from '../../../../lib/webhooks/schemes/methods.ts'
import { RSA_KEYS } from '../../../support/rsa-keys.ts'

const METHODS = {
  ECDSA_P256,
  ED25519,
  ED25519_WHPK,
  ES256_JWK,
  HMAC_SHA1,
  HMAC_SHA256,
  HMAC_SHA256_HEX_KEY,
  HMAC_SHA256_WHSEC,
  RSA_SHA256_NAMED,
  TOKEN,
}

const spki = { type: 'spki', format: 'der' } as const
const onP256 = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey
const onP384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey
const ed25519 = generateKeyPairSync('ed25519').publicKey
const [rsa] = RSA_KEYS
const rawEd25519 = ed25519.export(spki).subarray(-32).toString('hex')
const base64Ed25519 = Buffer.from(rawEd25519, 'hex').toString('base64')
const pem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()

describe('a key is read', () => {
  it.each<[keyof typeof METHODS, string, string]>([
    ['HMAC_SHA256_HEX_KEY', 'upper-case hexadecimal', 'A1B2'],
    ['HMAC_SHA256_WHSEC', 'base64 after the version and whsec_', 'v1,whsec_YQ=='],
    ['HMAC_SHA256_WHSEC', 'base64 alone', 'YQ=='],
    ['ED25519_WHPK', '32 bytes in base64 after the version and whpk_', `v1a,whpk_${base64Ed25519}`],
  ])('by %s from %s', (name, _, secret) => {
    expect(METHODS[name].readKey(secret)?.material).toBeDefined()
  })
})

describe('no key is read', () => {
  it.each(Object.entries<Method>(METHODS))('by %s from an empty text', (_, method) => {
    expect(method.readKey('')).toBeUndefined()
  })

  it.each<[keyof typeof METHODS, string, string]>([
    ['HMAC_SHA256_HEX_KEY', 'other text', 'secret'],
    ['HMAC_SHA256_WHSEC', 'the prefix alone', 'whsec_'],
    ['HMAC_SHA256_WHSEC', 'other text', 'whsec_shared secret'],
    ['HMAC_SHA256_WHSEC', 'base64 around whsec_', 'YWJjwhsec_ZGVm'],
    ['HMAC_SHA256_WHSEC', 'a public key, which everybody knows', `whpk_${base64Ed25519}`],
    ['HMAC_SHA256_WHSEC', 'the version of another kind', 'v1a,whsec_YQ=='],
    ['ED25519_WHPK', 'a shared secret', `whsec_${base64Ed25519}`],
    ['ED25519_WHPK', 'base64 alone', base64Ed25519],
    ['ED25519_WHPK', 'the prefix alone', 'whpk_'],
    ['ED25519_WHPK', '31 bytes', `whpk_${Buffer.alloc(31, 7).toString('base64')}`],
    ['ED25519_WHPK', 'a pair with the private key', `v1a,whpk_${base64Ed25519}:whsk_${base64Ed25519}`],
    ['ED25519', '33 bytes', `${rawEd25519}00`],
    ['ECDSA_P256', 'a key on another curve', onP384.export(spki).toString('base64')],
    ['ECDSA_P256', 'an RSA key', rsa.publicKey.export(spki).toString('base64')],
    ['ES256_JWK', 'a key on another curve', JSON.stringify(onP384.export({ format: 'jwk' }))],
    ['ES256_JWK', 'a symmetric key', '{"kty":"oct","k":"YQ"}'],
    ['RSA_SHA256_NAMED', 'PEM without a name', pem],
    ['RSA_SHA256_NAMED', 'a name without PEM', 'WH-1:'],
    ['RSA_SHA256_NAMED', 'a name behind a blank', ` WH-1:${pem}`],
    ['RSA_SHA256_NAMED', 'a key of another kind', `WH-1:${onP256.export({ type: 'spki', format: 'pem' })}`],
  ])('by %s from %s', (name, _, secret) => {
    expect(METHODS[name].readKey(secret)).toBeUndefined()
  })
})

describe('a signature of any length', () => {
  const SECRETS: Readonly<Record<keyof typeof METHODS, string>> = {
    ECDSA_P256: onP256.export(spki).toString('base64'),
    ED25519: rawEd25519,
    ED25519_WHPK: `whpk_${base64Ed25519}`,
    ES256_JWK: JSON.stringify(onP256.export({ format: 'jwk' })),
    HMAC_SHA1: 'secret',
    HMAC_SHA256: 'secret',
    HMAC_SHA256_HEX_KEY: 'a1',
    HMAC_SHA256_WHSEC: 'YQ==',
    RSA_SHA256_NAMED: `WH-1:${pem}`,
    TOKEN: 'secret',
  }

  it.each(Object.keys(METHODS))('is verified without an error by %s', (name) => {
    const method = METHODS[name as keyof typeof METHODS]
    const key = method.readKey(SECRETS[name as keyof typeof METHODS])
    const signatures = Array.from({ length: 300 }, (_, length) => Buffer.alloc(length, 0x30))
    expect(key && method.holds(key, signatures, ['signed'])).toBe(false)
  })
})

it('one of several tokens is enough', () => {
  const key = TOKEN.readKey('secret')
  const tokens = ['another', 'secret'].map((token) => Buffer.from(token))
  expect(key && TOKEN.holds(key, tokens, [])).toBe(true)
})

describe('the keyed hash', () => {
  it('equals that of RFC 4231, test case 2', () => {
    const mac = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
    expect(macOf('sha256', 'Jefe', ['what do ya want ', Buffer.from('for nothing?')]).toString('hex')).toBe(mac)
  })

  it('equals that of RFC 2202, test case 2', () => {
    const mac = 'effcdf6ae5eb2fa2d27416d5f184df9c259a7c79'
    expect(macOf('sha1', 'Jefe', ['what do ya want for nothing?']).toString('hex')).toBe(mac)
  })
})
