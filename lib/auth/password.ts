import { Buffer } from 'node:buffer'
import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { type Bounded, boundedPassword, nfc } from '../runtime/text.ts'

interface Cost {
  /** KiB of memory. */
  readonly m: number
  /** Passes. */
  readonly t: number
  /** Lanes. */
  readonly p: number
}

/** OWASP Password Storage Cheat Sheet, argon2id. */
const CURRENT: Cost = { m: 19_456, t: 2, p: 1 }
const SALT_BYTES = 16
const TAG_BYTES = 32

/** What a stored hash may ask of us, so that a row in a table cannot exhaust the machine. */
const LIMITS: Cost = { m: 262_144, t: 16, p: 16 }

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/

/** Stands for the hash of a user who does not exist: its check costs the same and never succeeds. */
const NOBODY = `$argon2id$v=19$m=${CURRENT.m},t=${CURRENT.t},p=${CURRENT.p}$${encode(Buffer.alloc(SALT_BYTES))}$${encode(Buffer.alloc(TAG_BYTES))}`

export type PasswordCheck = 'wrong' | 'right' | 'right-but-outdated'

/** How passwords become stored texts. */
export interface PasswordHashes {
  /**
   * A PHC string (argon2id, fresh salt) of the password's NFC form.
   * @throws Error for a password beyond its bound, which no account may have
   */
  hash(password: string): Promise<string>
  /**
   * Compares in constant time; without a stored hash, or with a password beyond its bound, the work is the same and the
   * answer `wrong`.
   * @throws Error when the stored text is not an argon2id PHC string within bounds.
   */
  check(password: string, stored: string | undefined): Promise<PasswordCheck>
}

export type Derive = (...given: DropLast<Parameters<typeof argon2>>) => Promise<Buffer>
type DropLast<T extends readonly unknown[]> = T extends [...infer Rest, unknown] ? Rest : never

/** @param derive argon2, or what counts its calls */
export function passwordHashes(derive: Derive = promisify(argon2)): PasswordHashes {
  /** An empty text stands for a password beyond its bound, which is never truncated. */
  const tagOf = (password: Bounded | undefined, nonce: Buffer, { m, t, p }: Cost, tagLength: number) => {
    const message = password === undefined ? '' : nfc(password)
    return derive('argon2id', { message, nonce, memory: m, passes: t, parallelism: p, tagLength })
  }

  return {
    async hash(password) {
      const given = boundedPassword(password)
      if (given === undefined) throw new Error('a password to be hashed is beyond its bound')
      const salt = randomBytes(SALT_BYTES)
      const tag = await tagOf(given, salt, CURRENT, TAG_BYTES)
      return `$argon2id$v=19$m=${CURRENT.m},t=${CURRENT.t},p=${CURRENT.p}$${encode(salt)}$${encode(tag)}`
    },
    async check(password, stored) {
      const { cost, salt, tag } = readHash(stored ?? NOBODY)
      const bounded = boundedPassword(password)
      const given = await tagOf(bounded, salt, cost, tag.length)
      const isRight = timingSafeEqual(given, tag) && stored !== undefined && bounded !== undefined
      const isCurrent = cost.m === CURRENT.m && cost.t === CURRENT.t && cost.p === CURRENT.p
      return isRight ? (isCurrent ? 'right' : 'right-but-outdated') : 'wrong'
    },
  }
}

export const ARGON2 = passwordHashes()
export const { hash: hashPassword, check: checkPassword } = ARGON2

function readHash(stored: string): { cost: Cost; salt: Buffer; tag: Buffer } {
  const [, m, t, p, salt = '', tag = ''] = PHC.exec(stored) ?? []
  const cost = { m: Number(m), t: Number(t), p: Number(p) }
  const isWithinLimits = (['m', 't', 'p'] as const).every((name) => cost[name] <= LIMITS[name])
  if (!isWithinLimits) throw new Error('a stored password hash is no argon2id PHC string within bounds')
  return { cost, salt: Buffer.from(salt, 'base64'), tag: Buffer.from(tag, 'base64') }
}

/** PHC strings use Base64 without padding. */
function encode(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '')
}
