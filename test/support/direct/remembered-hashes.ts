// The demo users log in a thousand times: what Argon2 made of a password and a salt is remembered.
import crypto, { type Argon2Algorithm, type Argon2Parameters } from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

type Done = (error: Error | null, derived: Buffer) => void

const derived = new Map<string, Buffer>()
const { argon2 } = crypto

crypto.argon2 = ((algorithm: Argon2Algorithm, parameters: Argon2Parameters, done: Done) => {
  const key = JSON.stringify([algorithm, parameters])
  const known = derived.get(key)
  if (known) return queueMicrotask(() => done(null, Buffer.from(known)))
  argon2(algorithm, parameters, (error, made) => {
    if (error === null) derived.set(key, Buffer.from(made))
    done(error, made)
  })
}) as typeof crypto.argon2
syncBuiltinESMExports()
