import { dynamoSessionStore } from '../adapters/dynamodb/sessions.ts'
import { signOfLife } from '../adapters/http/sign-of-life.ts'
import { retryQueueDepth } from '../adapters/sqs/service.ts'
import { isInProfile } from '../auth/profile.ts'
import { type StagePart, watchParts } from '../http/status.ts'
import { systemTimers } from '../runtime/async.ts'
import { loadConfig, optional, text } from '../runtime/config.ts'
import { consoleSettings } from '../runtime/settings/console.ts'
import { edgeSettings } from '../runtime/settings/edge.ts'
import { offeredProviders, offerSettings } from '../runtime/settings/oauth2.ts'
import { retryQueueSettings, sessionsStoreSettings } from '../runtime/settings/stores.ts'
import { makeSessionOnly } from './checks.ts'
import { clock, log } from './edge.ts'
import { documents, passwordStores } from './stores.ts'

const settings = {
  STAGE: edgeSettings.STAGE,
  PROFILE: edgeSettings.PROFILE,
  STOMP_URL: consoleSettings.STOMP_URL,
  LDAP_URL: optional(text),
  ...retryQueueSettings,
  ...sessionsStoreSettings,
  ...offerSettings,
}

/** The parts of the endpoint that reports the state of the stage to everybody. */
export function makeStatus() {
  const config = loadConfig(settings)
  const app = makeSessionOnly()
  const sessions = dynamoSessionStore(documents(), config.SESSIONS_TABLE)
  const depth = retryQueueDepth(config.RETRY_QUEUE_URL)

  const database: StagePart = {
    name: 'database',
    async look() {
      await sessions.find('status')
      return undefined
    },
  }
  const queue: StagePart = { name: 'queue', address: config.RETRY_QUEUE_URL, look: depth }
  const directory: StagePart = {
    name: 'directory',
    address: config.LDAP_URL,
    async look() {
      const { openDirectory } = await import('./directory.ts')
      await (await openDirectory()).probe()
      return undefined
    },
  }
  const isOffering = isInProfile({ profile: 'oauth2' }, config.PROFILE)
  const providers = isOffering ? offeredProviders(config).map(({ id, page }) => answering(id, page)) : []
  const parts: readonly StagePart[] = [
    database,
    queue,
    ...(passwordStores().includes('directory') ? [directory] : []),
    ...(config.STOMP_URL ? [answering('channels', healthOf(config.STOMP_URL))] : []),
    ...providers,
  ]
  return {
    ...app,
    isLocal: config.STAGE === 'local',
    states: watchParts(parts, { clock, timers: systemTimers, log }),
  }
}

function answering(name: string, url: URL): StagePart {
  return {
    name,
    address: url.origin,
    async look(signal) {
      await signOfLife(url, signal)
      return undefined
    },
  }
}

/** `/healthz` of the container that has the channels. */
function healthOf({ protocol, host }: URL): URL {
  return new URL(`${protocol === 'wss:' ? 'https' : 'http'}://${host}/healthz`)
}
