import { fork } from 'node:child_process'
import { once } from 'node:events'
import { createTokens } from '../../../lib/auth/token.ts'
import { systemClock } from '../../../lib/runtime/clock.ts'
import { emulatedEngine } from '../../../test/support/fan-out.ts'
import { IS_SHORT } from '../effort.ts'
import { KEY } from '../key.ts'
import { type Broker, type Dialect, frame } from './client.ts'
import { hasRabbitMq, runRabbitMq } from './rabbitmq.ts'

interface Kind {
  readonly name: string
  readonly dialect: Dialect
  run<T>(work: (broker: Broker) => Promise<T>): Promise<T>
}

/** Of the server, too. */
const tokens = createTokens({
  keys: { current: [{ kid: 'bench', secret: KEY }] },
  lifetimeSeconds: 3600,
  clock: systemClock,
})
const USER_TOKENS = await Promise.all(
  Array.from({ length: 100 }, (_, number) => tokens.issue(`user-${number}`, 'ROLE_USER')),
)

const GATEHOUSE: Kind = {
  name: 'gatehouse',
  dialect: {
    destination: '/topic/public/bench',
    login: (user) => ({ authorization: `Bearer ${USER_TOKENS[user % USER_TOKENS.length]}` }),
  },
  run: async (work) => {
    const engine = await emulatedEngine()
    await engine.start()
    await engine.makeTopics()
    try {
      return await forked('server.ts', work)
    } finally {
      await engine.stop()
    }
  },
}

const STOMP_BROKER_JS: Kind = {
  name: 'stomp-broker-js',
  dialect: {
    destination: '/topic/bench',
    login: () => ({}),
    behindSubscribe: frame('CONNECT', {}),
  },
  run: (work) => forked('../peers/stomp-broker-js.mjs', work),
}

const RABBITMQ: Kind = {
  name: 'rabbitmq',
  dialect: { destination: '/topic/bench', login: () => ({ login: 'guest', passcode: 'guest' }) },
  run: runRabbitMq,
}

/** Those that are installed. */
export function brokers(): readonly Kind[] {
  return [GATEHOUSE, STOMP_BROKER_JS, ...(!IS_SHORT && hasRabbitMq() ? [RABBITMQ] : [])]
}

export interface Server extends Omit<Kind, 'run'> {
  readonly broker: Broker
}

/** Runs them all at the same time. */
export function withAll<T>(kinds: readonly Kind[], work: (servers: readonly Server[]) => Promise<T>): Promise<T> {
  const [kind, ...others] = kinds
  if (!kind) return work([])
  const { name, dialect } = kind
  return withAll(others, (servers) => kind.run((broker) => work([{ name, dialect, broker }, ...servers])))
}

/** Runs a server's process, which tells its port, for as long as the work takes; what it prints goes to standard error. */
async function forked<T>(file: string, work: (broker: Broker) => Promise<T>): Promise<T> {
  const child = fork(`${import.meta.dirname}/${file}`, { stdio: ['ignore', 2, 2, 'ipc'] })
  const ended = once(child, 'exit')
  const tooSoon = ended.then(([code, signal]) => {
    throw new Error(`${file} ended with ${code ?? signal}`)
  })
  try {
    const [port] = await Promise.race([once(child, 'message'), tooSoon])
    return await Promise.race([work({ port, pid: child.pid ?? 0 }), tooSoon])
  } finally {
    // At the end nobody waits.
    tooSoon.catch(() => {})
    child.kill()
    await ended
  }
}
