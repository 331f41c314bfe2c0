import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'

const jwkShape = z.record(z.string(), z.string())
const shape = z.object({ jwks: z.array(jwkShape), cookieKeys: z.array(z.string()) })

export type Keys = z.infer<typeof shape>

/** The keys of Google's tokens and cookies; kept from the first start if there is a file. */
export function keptKeys(file: string | undefined): Keys {
  if (file === undefined) return makeKeys()
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    const keys = makeKeys()
    writeFileSync(file, JSON.stringify(keys), { mode: 0o600 })
    return keys
  }
}

function makeKeys(): Keys {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const jwk = { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' }
  return { jwks: [jwkShape.parse(jwk)], cookieKeys: [randomBytes(32).toString('base64url')] }
}
