import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import * as z from 'zod/mini'

const jwkShape = z.record(z.string(), z.string())
const shape = z.object({
  // The first version had no ES256.
  jwks: z.array(jwkShape).check(z.refine((keys) => keys.some(({ alg }) => alg === 'ES256'))),
  cookieKeys: z.array(z.string()),
})

export type Keys = z.infer<typeof shape>

let keysInMemory: Keys | undefined

/** The keys of Google's tokens and cookies; kept from the first start if there is a file, else in this process. */
export function keptKeys(file: string | undefined): Keys {
  if (file === undefined) {
    keysInMemory ??= makeKeys()
    return keysInMemory
  }
  try {
    return shape.parse(JSON.parse(readFileSync(file, 'utf8')))
  } catch {
    const keys = makeKeys()
    writeFileSync(file, JSON.stringify(keys), { mode: 0o600 })
    return keys
  }
}

function makeKeys(): Keys {
  const pairs = {
    RS256: generateKeyPairSync('rsa', { modulusLength: 2048 }),
    ES256: generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  }
  const jwks = Object.entries(pairs).map(([alg, { privateKey }]) =>
    jwkShape.parse({ ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg }),
  )
  return { jwks, cookieKeys: [randomBytes(32).toString('base64url')] }
}
