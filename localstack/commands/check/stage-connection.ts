import { Buffer } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import type { Finding } from '../../../infra/finding.ts'
import { PROFILES } from '../../../lib/auth/profile.ts'
import { apiError, WEBHOOK_ERROR } from '../../../lib/contract/answers/errors.ts'
import { CATALOG, type ErrorCode } from '../../../lib/errors.ts'
import { memoizeAsync } from '../../../lib/runtime/cache.ts'
import { demoAdmin, demoUser } from '../../demo-users.ts'
import { StartError } from '../../errors.ts'
import { localRun } from '../../local-run.ts'
import {
  type Ask,
  LOOPBACK,
  type Login,
  type Operator,
  operatorCredentials,
  profileAt,
  tokenOf,
} from '../../operator/operator.ts'
import { credentialsOf } from '../../senders/signers.ts'
import { jsonIn } from '../../stack/http.ts'

/** A rule does not hold; the message says what was seen instead. */
class Refuted extends Error {}

/** A check has not what it takes; the message says what is missing. */
class Untried extends Error {}

/** A call has no answer, or not all of it. */
export class NoAnswer extends Error {
  constructor(path: string, reason: unknown) {
    const { name, cause } = Object(reason) as { name?: string; cause?: { code?: string; name?: string } }
    const code = cause?.code ?? cause?.name ?? name ?? 'unknown'
    super(`No answer to ${path.replace(/\?.*/s, '')}: ${code}`, { cause: reason })
  }
}

/** @throws Refuted unless it holds */
export function holds(condition: unknown, otherwise: string): asserts condition {
  if (!condition) throw new Refuted(otherwise)
}

/** What a check saw where nothing is wrong; `warn` is another behavior than elsewhere, which the documentation names. */
export type Seen = string | { readonly level: 'warn'; readonly message: string }

/** Tries one thing. @throws Refuted when it does not hold, Untried when it cannot be tried */
export type StageCheck = (stage: DeployedStage) => Promise<Seen>

/** Runs one check. Any other error than the named ones is a bug and thrown. */
export async function runCheck(check: string, run: StageCheck, stage: DeployedStage): Promise<Finding> {
  const seen = await run(stage).catch(findingOf)
  return typeof seen === 'string' ? { level: 'ok', check, message: seen } : { check, ...seen }
}

function findingOf(error: unknown): Omit<Finding, 'check'> {
  if (error instanceof Untried) return { level: 'skipped', message: error.message }
  if (error instanceof Refuted || error instanceof NoAnswer) return { level: 'fail', message: error.message }
  // Behind the colon is what the stage says, which may be anything.
  if (error instanceof StartError) return { level: 'fail', message: error.message.replace(/: .*/s, '') }
  throw error
}

export type DeployedStage = ReturnType<typeof connect>

/**
 * A deployed stage, seen from outside, with the credentials that the environment has. For a stage on this machine also
 * those of a local run; they are sent nowhere else. What returns credentials throws Untried without them.
 */
export function connect(url: URL, given: NodeJS.ProcessEnv, ask: Ask = askOf(url)) {
  const isLocal = LOOPBACK.includes(url.hostname)
  const profile = memoizeAsync(() => profileAt(ask))
  const run = `verify-${randomUUID()}`
  let made = 0

  async function login(): Promise<Login> {
    const { GATEHOUSE_USER: username, GATEHOUSE_PASSWORD: password } = given
    if (username && password) return { username, password }
    if (isLocal) return demoAdmin(await profile())
    throw new Untried('no GATEHOUSE_USER with GATEHOUSE_PASSWORD')
  }

  async function operator(): Promise<Operator> {
    const token = given['GATEHOUSE_TOKEN']
    if (token && PROFILES[await profile()].bearer) return { token }
    return login().catch((error) => {
      if (!(error instanceof Untried)) throw error
      throw new Untried('neither GATEHOUSE_TOKEN, where tokens count, nor GATEHOUSE_USER with GATEHOUSE_PASSWORD')
    })
  }

  return {
    url,
    login,
    /** The events that may be left behind, each as `source id`. */
    events: new Set<string>(),
    /** Calls a path and reads the whole answer. @throws NoAnswer */
    async call(path: string, init?: RequestInit): Promise<StageReply> {
      const response = await ask(path, init)
      const body = await response.arrayBuffer().then(Buffer.from, (cause) => Promise.reject(new NoAnswer(path, cause)))
      const { status, headers } = response
      return { status, headers, body, json: jsonIn(body.toString()) }
    },
    /** The credentials of an admin, as headers. */
    admin: memoizeAsync(async () => (await operatorCredentials(await operator(), ask)).http()),
    /** @throws Untried where the profile takes no tokens */
    async demandTokens(): Promise<void> {
      const name = await profile()
      if (!PROFILES[name].bearer) throw new Untried(`the profile ${name} takes no tokens over HTTP`)
    },
    /** The token of a user who is no admin. */
    async plainToken(): Promise<string> {
      const token = given['GATEHOUSE_PLAIN_TOKEN']
      if (token) return token
      const demo = isLocal ? demoUser('user') : undefined
      if (demo) return tokenOf(demo, ask)
      throw new Untried('no GATEHOUSE_PLAIN_TOKEN of a user who is no admin')
    },
    credentials(sender: string) {
      const keyring = localRun(given)
      const isKnown = (isLocal || given['WEBHOOK_SECRETS']) && keyring.webhookSecrets().has(sender)
      if (!isKnown) throw new Untried(`no secret of ${sender} in WEBHOOK_SECRETS`)
      return credentialsOf(sender, keyring)
    },
    newEventId: (suffix = '') => `${run}-${++made}${suffix}`,
  }
}

/** Longer than a gateway waits for a function, and enough for 4 MiB over a slow line; in milliseconds. */
const PATIENCE = 90_000

function askOf(address: URL): Ask {
  return (path, init) => {
    const options: RequestInit = { ...init, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) }
    return fetch(new URL(path, address), options).catch((cause) => Promise.reject(new NoAnswer(path, cause)))
  }
}

/** A complete answer. */
export interface StageReply {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
  /** Undefined if the body is no JSON. */
  readonly json: unknown
}

/** The status of an answer and the code of our error that it contains, in words; quotes nothing else. */
export function seenIn({ status, json, body }: StageReply): string {
  const codes = (Object.keys(CATALOG) as ErrorCode[]).filter((name) => CATALOG[name].status === status)
  const { success, data } = WEBHOOK_ERROR.safeParse(json)
  const code =
    codes.find((name) => apiError(name).safeParse(json).success) ??
    (success ? codes.find((name) => CATALOG[name].message === data.message) : undefined)
  if (code) return `${status}, ours, ${code}`
  return `${status}, ${body.length === 0 ? 'an empty body' : `another body of ${body.length} bytes`}`
}

/** @returns the answer, in words. @throws Refuted unless it is this error in the shape of the API */
export function refusedWith(code: ErrorCode, answer: StageReply): string {
  const { status } = CATALOG[code]
  const isSuch = answer.status === status && apiError(code).safeParse(answer.json).success
  holds(isSuch, `${seenIn(answer)}; wanted ${status} ${code} in the shape of our errors`)
  return seenIn(answer)
}

/** @throws Refuted unless it has the status */
export function answeredWith(status: number, answer: StageReply): StageReply {
  holds(answer.status === status, `${seenIn(answer)}; wanted ${status}`)
  return answer
}
