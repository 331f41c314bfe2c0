import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { PROFILES } from '../../lib/auth/profile.ts'
import { memoizeAsync } from '../../lib/runtime/memoize-async.ts'
import { demoAdmin, demoUser } from '../demo-users.ts'
import { localRun } from '../local-run.ts'
import { operatorCredentials, tokenOf } from '../operator/credentials.ts'
import { LOOPBACK, type Login, type Operator } from '../operator/operator.ts'
import { type Ask, profileAt } from '../operator/service-profile.ts'
import { credentialsOf } from '../senders/credentials.ts'
import { NoAnswer, Untried } from './check.ts'
import type { DeployedStage, OwnSender } from './deployed-stage.ts'
import type { VerifyOrder } from './options.ts'
import { readReply } from './reply.ts'
import { stackFacts } from './stack-facts.ts'

/** A stage, and the events that the checks leave there. */
export interface StageConnection {
  readonly stage: DeployedStage
  /** Each as `source id`. */
  readonly events: ReadonlySet<string>
}

/**
 * Connects the checks with a stage and with the credentials that the environment has. For a stage on this machine it
 * also uses those of a local run; they are sent nowhere else.
 */
export function connect(
  { url, stage, extras }: VerifyOrder,
  given: NodeJS.ProcessEnv,
  ask = askOf(url),
): StageConnection {
  const isLocal = LOOPBACK.includes(url.hostname)
  const events = new Set<string>()
  let made = 0
  const profile = memoizeAsync(() => profileAt(ask))
  const run = `verify-${randomUUID()}`

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

  const admin = memoizeAsync(async () => (await operatorCredentials(await operator(), ask)).http())

  return {
    events,
    stage: {
      url,
      extras,
      ask,
      call: async (path, init) => readReply(path, await ask(path, init as RequestInit)),
      admin,
      login,
      async plainToken() {
        const token = given['GATEHOUSE_PLAIN_TOKEN']
        if (token) return token
        const demo = isLocal && PROFILES[await profile()].bearer ? demoUser('user') : undefined
        if (demo) return tokenOf(demo, ask)
        throw new Untried('no GATEHOUSE_PLAIN_TOKEN of a user who is no admin')
      },
      credentials(sender: OwnSender) {
        const keyring = localRun(given)
        const isKnown = (isLocal || given['WEBHOOK_SECRETS']) && keyring.webhookSecrets().has(sender)
        if (!isKnown) throw new Untried(`no secret of ${sender} in WEBHOOK_SECRETS`)
        return credentialsOf(sender, keyring)
      },
      stack: memoizeAsync(() => stackFacts(stage)),
      newEventId: (suffix = '') => `${run}-${++made}${suffix}`,
      leave: (sender, eventId) => void events.add(`${sender} ${eventId}`),
      now: () => performance.now(),
      pause: async (milliseconds) => void (await setTimeout(milliseconds)),
    },
  }
}

/** Longer than a gateway waits for a function, and enough for 4 MiB over a slow line; in milliseconds. */
const PATIENCE = 90_000

function askOf(address: URL): Ask {
  return (path, init) => {
    const options: RequestInit = { ...init, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) }
    return fetch(new URL(path, address), options).catch((cause) => {
      throw new NoAnswer(path, cause)
    })
  }
}
