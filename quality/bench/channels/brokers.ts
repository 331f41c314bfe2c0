import { emulatedEngine } from '../../../test/support/fan-out.ts'
import { effort, IS_SHORT } from '../effort.ts'
import { type Measured, measured } from '../measured.ts'
import { hasRabbitMq, runRabbitMq } from './rabbitmq.ts'
import { type Dialect, frame } from './stomp-client.ts'
import { tokens } from './tokens.ts'

/** A broker of STOMP over WebSocket while it runs, in a process of its own. */
export interface Broker {
  readonly port: number
  /** Microseconds that it has taken, the system's work for it included. */
  cpu(): Promise<number>
  /** Bytes, once the garbage is gone. */
  rss(): Promise<number>
}

export interface Kind {
  readonly name: string
  readonly dialect: Dialect
  /** How many new processes say enough of it. */
  readonly processes: number
  run<T>(work: (broker: Broker) => Promise<T>): Promise<T>
}

const USERS = 100

const USER_TOKENS = await Promise.all(
  Array.from({ length: USERS }, (_, number) => tokens.issue(`user-${number}`, 'ROLE_USER')),
)

const GATEHOUSE: Kind = {
  name: 'gatehouse',
  dialect: {
    destination: '/topic/public/bench',
    login: (user) => ({ authorization: `Bearer ${USER_TOKENS[user % USERS]}` }),
  },
  processes: effort(3, 1),
  run: async (work) => {
    const engine = await emulatedEngine()
    await engine.start()
    await engine.makeTopics()
    try {
      return await measured('channels/stomp-server.ts', (server) => work(brokerOf(server)))
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
  processes: effort(3, 1),
  run: (work) => measured('peers/servers/stomp-broker-js.mjs', (server) => work(brokerOf(server))),
}

const RABBITMQ: Kind = {
  name: 'rabbitmq',
  dialect: { destination: '/topic/bench', login: () => ({ login: 'guest', passcode: 'guest' }) },
  // A start takes ten seconds, and its memory hardly differs from one to the next.
  processes: 1,
  run: runRabbitMq,
}

/** One that runs. */
export interface Server {
  readonly name: string
  readonly dialect: Dialect
  readonly broker: Broker
}

/** Runs them all at the same time; without those that are not installed. */
export function withAll<T>(kinds: readonly Kind[], work: (servers: readonly Server[]) => Promise<T>): Promise<T> {
  const [kind, ...others] = kinds
  if (!kind) return work([])
  const { name, dialect } = kind
  return withAll(others, (servers) => kind.run((broker) => work([{ name, dialect, broker }, ...servers])))
}

/** Those that are installed. */
export function brokers(): readonly Kind[] {
  return [GATEHOUSE, STOMP_BROKER_JS, ...(hasRabbitMq() && !IS_SHORT ? [RABBITMQ] : [])]
}

function brokerOf(server: Measured): Broker {
  return {
    port: server.port,
    cpu: () => server.ask('cpu'),
    rss: async () => (await server.ask('liveMemory')).rss,
  }
}
