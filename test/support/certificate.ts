import { Buffer } from 'node:buffer'
import { generateKeyPairSync, type KeyObject, type KeyPairKeyObjectResult, sign } from 'node:crypto'

/** DER (ITU-T X.690): a tag, the length, the content. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const size = Buffer.from(content.length.toString(16).padStart(content.length > 255 ? 4 : 2, '0'), 'hex')
  const length = content.length < 128 ? size : Buffer.concat([Buffer.from([0x80 + size.length]), size])
  return Buffer.concat([Buffer.from([tag]), length, content])
}

const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts)
const oid = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))
const integer = (value: number) => der(0x02, Buffer.from([value]))
const utcTime = (at: Date) => der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/\D/g, '')}Z`))
const nameOf = (text: string) => sequence(der(0x31, sequence(oid('550403'), der(0x0c, Buffer.from(text)))))

const SHA256_WITH_RSA = sequence(oid('2a864886f70d01010b'), der(0x05))
/** The extension for the address 127.0.0.1. */
const LOOPBACK = sequence(oid('551d11'), der(0x04, sequence(der(0x87, Buffer.from([127, 0, 0, 1])))))

export interface SelfSigned {
  readonly certificate: string
  readonly publicKey: KeyObject
  readonly privateKey: KeyObject
}

/** A key, a new one by default, and a certificate for it (RFC 5280, section 4.1) that it signed itself. */
export function selfSigned(
  commonName: string,
  notBefore: Date,
  notAfter: Date,
  { publicKey, privateKey }: KeyPairKeyObjectResult = generateKeyPairSync('rsa', { modulusLength: 2048 }),
): SelfSigned {
  const name = nameOf(commonName)
  const toBeSigned = sequence(
    der(0xa0, integer(2)),
    integer(1),
    SHA256_WITH_RSA,
    name,
    sequence(utcTime(notBefore), utcTime(notAfter)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(LOOPBACK)),
  )
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toBeSigned, privateKey))
  const base64 = sequence(toBeSigned, SHA256_WITH_RSA, signature).toString('base64')
  const lines = base64.match(/.{1,64}/g) ?? []
  const certificate = ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
  return { certificate, publicKey, privateKey }
}
