import { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import { isProvider, providerOf } from '../lib/webhooks/providers/index.ts'
import type { SignedCall } from '../lib/webhooks/schemes/scheme.ts'
import { type SharedSecret, type VerifyResult, verify } from '../lib/webhooks/verify.ts'
import { StartError } from './errors.ts'

/**
 * Reads the vectors of a file.
 * @throws StartError for a file that does not exist, is not JSON or has another shape; names the first wrong place
 */
export function readVectors(file: string): readonly Vector[] {
  const given = z.safeParse(vectorFile, readJson(file), { error: z.locales.en().localeError })
  if (given.success) return given.data.vectors
  const [issue] = given.error.issues
  throw new StartError(`${file}: ${issue?.path.join('.') || 'the file'}: ${issue?.message}`)
}

/** @throws StartError for an unreadable file, or one that is no JSON */
export function readJson(file: string): unknown {
  try {
    return JSON.parse(readBytes(file).toString())
  } catch (error) {
    if (error instanceof SyntaxError) throw new StartError(`${file}: is no JSON`)
    throw error
  }
}

/** @throws StartError for an unreadable file */
export function readBytes(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch (cause) {
    throw new StartError(`${file}: cannot be read`, { cause })
  }
}

/** The scheme of a vector: the provider's name, or `provider-part` for a part of its scheme. */
const scheme = z.string().check(
  z.overwrite((name) => (isProvider(name) ? name : name.replace(/-\w+$/, ''))),
  z.refine(isProvider, 'must be the name of a scheme'),
)

/** A text, or a key as JSON Web Key. */
const secret = z.union([z.string(), z.record(z.string(), z.unknown())])

/** A webhook call as in the vector files. */
export const requestFile = z.object({
  method: z._default(z.string(), 'POST'),
  url: z._default(z.url(), 'https://hooks.example.com/'),
  headers: z.record(z.string(), z.string()),
  bodyBase64: z.string().check(z.base64('must be base64')),
})

const vector = z.extend(requestFile, {
  id: z.string(),
  scheme,
  secret,
  secretKind: z.string(),
  /** Replaces `secret` if the receiver knows more than one. */
  secrets: z.optional(z.array(secret)),
  /** The receiver's clock, in seconds since the epoch. */
  now: z.int(),
  /** Null if the scheme's own tolerance applies. */
  toleranceSec: z.nullable(z.number()),
  expected: z.enum(['valid', 'invalid', 'stale-but-correct']),
  /** What was done to it. */
  reason: z.optional(z.string()),
})

/** A call, its expected judgment, and the answer of a strict receiver. */
export type Vector = z.infer<typeof vector>

const vectorFile = z.object({ vectors: z.array(vector) })

/** A webhook call as files hold it: header names in any case, the body in base64. */
export function signedCallOf({ method, url, headers, bodyBase64 }: z.infer<typeof requestFile>): SignedCall {
  const lowered = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
  return { method, url, headers: Object.fromEntries(lowered), body: Buffer.from(bodyBase64, 'base64') }
}

/** The product's judgment of a call; a `stale-but-correct` call is judged at its own time. */
export function judge(given: Vector): VerifyResult {
  const call = signedCallOf(given)
  return verify(call, {
    scheme: providerOf(given.scheme).scheme,
    secrets: secretsOf(given),
    now: new Date(ownTimeOf(given, call) ?? given.now * 1000),
    toleranceSeconds: given.toleranceSec ?? undefined,
  })
}

/** Whether the product answers as a strict receiver does. */
export function isVectorMet({ expected }: Vector, { ok }: VerifyResult): boolean {
  return ok === (expected !== 'invalid')
}

/** The secrets of a vector, as configured. */
export function secretsOf({ secret, secrets, secretKind }: Vector): readonly SharedSecret[] {
  const [, webhookId] = /webhookId (\S+)$/.exec(secretKind) ?? []
  const prefix = webhookId === undefined ? '' : `${webhookId}:`
  return (secrets ?? [secret]).map((one) => ({
    value: `${prefix}${typeof one === 'string' ? one : JSON.stringify(one)}`,
  }))
}

/** In milliseconds since the epoch. */
function ownTimeOf(given: Vector, call: SignedCall): number | undefined {
  const claim = given.expected === 'stale-but-correct' ? providerOf(given.scheme).scheme.read(call) : undefined
  if (!claim?.confirm) return claim?.signedAt
  const [secret] = secretsOf(given)
  return claim.confirm(claim.method.readKey(secret?.value ?? '')?.name ?? '')?.signedAt
}
