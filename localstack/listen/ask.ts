import { Buffer } from 'node:buffer'
import * as z from 'zod/mini'
import { readRetryAfter } from '../../lib/deliver/policy.ts'
import type { Clock } from '../../lib/runtime/time.ts'
import { refusalReason } from '../operator/refusal.ts'
import { StartError } from '../start-error.ts'
import { StageAway } from './stage-away.ts'

/** The time for one answer, in milliseconds. */
const TIMEOUT_MS = 30_000

/**
 * Sends one request; follows no redirect.
 * @throws StageAway when nothing answers, or for an answer that asks for a retry
 */
export async function askStage(url: URL, init: RequestInit | undefined, clock: Clock): Promise<Response> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const response = await fetch(url, { ...init, signal, redirect: 'manual' }).catch((cause) => {
    throw new StageAway(`nothing answers at ${url.origin}`, { cause })
  })
  const { status, headers } = response
  if (status !== 429 && status < 500) return response
  const retryAfter = readRetryAfter(headers.get('retry-after') ?? undefined, clock.now())
  throw new StageAway(`the service answers ${status}`, { retryAfter })
}

/** The body of a success. @throws StartError for any other answer, StageAway when it is cut off */
export async function goodBytes(response: Response): Promise<Buffer> {
  const bytes = await response.arrayBuffer().catch((cause) => {
    throw new StageAway('an answer was cut off', { cause })
  })
  if (response.status === 200) return Buffer.from(bytes)
  const reason = refusalReason(parsed(Buffer.from(bytes)))
  throw new StartError(`The service at ${new URL(response.url).origin} answers ${response.status}: ${reason}`)
}

/** The same of JSON. @throws StartError also for a body of another shape */
export async function goodJson<S extends z.ZodMiniType>(response: Response, schema: S): Promise<z.output<S>> {
  const { success, data } = z.safeParse(schema, parsed(await goodBytes(response)))
  if (success) return data
  throw new StartError(`The server at ${new URL(response.url).origin} is not Gatehouse, or another version of it.`)
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
