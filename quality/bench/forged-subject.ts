import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { argv } from 'node:process'
import { ServiceError } from '../../lib/errors.ts'
import { providerOf } from '../../lib/webhooks/providers/index.ts'
import { type SharedSecret, verify } from '../../lib/webhooks/verify.ts'

/** Calls of one scheme, each refused. */
export interface Forgery {
  readonly name: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The body is this, so often. */
  readonly piece: string
  readonly size: number
  readonly secrets: readonly Pick<SharedSecret, 'value'>[]
  readonly calls: number
}

const { name, url, headers, piece, size, secrets, calls }: Forgery = JSON.parse(readFileSync(argv[2] ?? '', 'utf8'))
const body = Buffer.alloc(size, piece)
const scheme = providerOf(name).scheme
for (let call = 0; call < calls; call++) {
  if (isAccepted()) throw new Error(`${name} accepts a forged call`)
}

function isAccepted(): boolean {
  try {
    return verify({ method: 'POST', url, headers, body }, { scheme, secrets, now: new Date(0) }).ok
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}
