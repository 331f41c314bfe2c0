import { fork } from 'node:child_process'
import { once } from 'node:events'
import { NOWHERE, startAdapter } from '../../../test/support/adapter-process.ts'
import { claims, forge, HEADER } from '../../../test/support/forge.ts'
import { startAccounts } from '../../support/accounts.ts'
import { IS_SHORT } from '../effort.ts'
import { KEY } from '../key.ts'
import { type Broker, type Dialect, frame } from './client.ts'
import { hasRabbitMq, runRabbitMq } from './rabbitmq.ts'

interface Kind {
  readonly name: string
  readonly dialect: Dialect
  run<T>(work: (broker: Broker) => Promise<T>): Promise<T>
}

const SECRET = KEY.toString('base64url')
const TOKEN = forge(claims(), HEADER, 'sha512', SECRET)

/** The container's process, with accounts and messages in another one. */
const GATEHOUSE: Kind = {
  name: 'gatehouse',
  dialect: { destination: '/topic/public/bench', login: { authorization: `Bearer ${TOKEN}` } },
  run: async (work) => {
    const accounts = await startAccounts()
    const adapter = await startAdapter({
      ...NOWHERE,
      ...accounts.settings,
      JWT_KEYS: `test:${SECRET}`,
      BASE_URL: 'http://127.0.0.1',
      STOMP_CONNECTIONS_PER_USER: '1000',
    })
    try {
      return await work({ port: Number(new URL(adapter.ws).port), pid: adapter.child.pid ?? 0 })
    } finally {
      adapter.child.kill('SIGKILL')
      await adapter.ended
      await accounts.stop()
    }
  },
}

const STOMP_BROKER_JS: Kind = {
  name: 'stomp-broker-js',
  dialect: { destination: '/topic/bench', login: {}, behindSubscribe: frame('CONNECT', {}) },
  run: async (work) => {
    const child = fork(`${import.meta.dirname}/../peers/stomp-broker-js.mjs`, { stdio: ['ignore', 2, 2, 'ipc'] })
    const [port] = await once(child, 'message')
    return work({ port, pid: child.pid ?? 0 }).finally(() => child.kill())
  },
}

const RABBITMQ: Kind = {
  name: 'rabbitmq',
  dialect: { destination: '/topic/bench', login: { login: 'guest', passcode: 'guest' } },
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
