import type { Clock } from '../../lib/runtime/clock.ts'
import type { Book } from './book.ts'
import type { Credential, SeenCall } from './call.ts'
import { FAULT_NAMES, FAULTS, type FaultName } from './faults.ts'
import { judgeVisit } from './judge.ts'
import type { Judgment } from './judgment.ts'

/** A call as the report shows it: secrets have numbers in the order in which they were first seen. */
export interface ReportedCall {
  readonly at: string
  readonly method: string
  readonly path: string
  /** `none`, `password`, `token 1`, `session 1`, `API key` or `unknown scheme`. */
  readonly credentials: string
  /** Null while the service has not answered. */
  readonly status: number | null
  readonly answeredAt: string | null
  readonly tokenStatus?: string | undefined
  readonly retryAfter?: number | undefined
  readonly challenge?: string | undefined
  /** What a login began: `token 2`. */
  readonly issued?: string | undefined
}

export interface FaultReport extends Judgment {
  readonly fault: FaultName
  /** What passes. */
  readonly goodClient: string
  readonly calls: readonly ReportedCall[]
  /** Calls that came after those, and are not judged. */
  readonly furtherCalls: number
}

export interface ClientReport {
  readonly client: string
  readonly at: string
  readonly faults: readonly FaultReport[]
}

/** The actions of a client, fault by fault; all are `not tried` for an unknown client. */
export function clientReport(client: string, book: Pick<Book, 'read'>, clock: Clock): ClientReport {
  return {
    client,
    at: clock.now().toISOString(),
    faults: FAULT_NAMES.map((fault) => {
      const visit = book.read(client, fault)
      const calls = reported(visit.calls)
      return {
        fault,
        goodClient: FAULTS[fault].good,
        ...judgeVisit(fault, visit),
        calls,
        furtherCalls: visit.furtherCalls,
      }
    }),
  }
}

function reported(calls: readonly SeenCall[]): readonly ReportedCall[] {
  const label = labels()
  return calls.map(({ at, method, path, credential, answer }) => ({
    at: at.toISOString(),
    method,
    path,
    credentials: label(credential),
    status: answer?.status ?? null,
    answeredAt: answer?.at.toISOString() ?? null,
    tokenStatus: answer?.tokenStatus,
    retryAfter: answer?.retryAfter,
    challenge: answer?.challenge,
    issued: answer?.issued && label(answer.issued),
  }))
}

function labels(): (credential: Credential) => string {
  const digests: Record<string, string[]> = { token: [], session: [] }
  return ({ kind, digest }) => {
    if (digest === undefined) return kind
    const known = digests[kind] ?? []
    if (!known.includes(digest)) known.push(digest)
    return `${kind} ${known.indexOf(digest) + 1}`
  }
}
