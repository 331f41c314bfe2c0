import type { Row } from '../findings.ts'
import { type Measured, measured } from '../measured.ts'
import { median } from '../median.ts'
import { type Client, calls, grpcClient } from './grpc-client.ts'
import { tokens } from './tokens.ts'

/** Processes of each kind: how the same code came to be compiled makes up to 3 % between one process and the next. */
const PAIRS = 5
const WARM_UP = 6000
/** Many and short: what the neighbours do then meets both servers of a round alike. */
const ROUNDS = 30
const CALLS = 300
const IN_FLIGHT = 32
const HEAD = { path: '/gatehouse.v1.AuthService/WhoAmI', token: await tokens.issue('alice', 'ROLE_USER') }

/** What a check of a known token adds to a unary call: Gatehouse against grpc-js that answers the same and checks nothing. */
export async function whoAmI(): Promise<readonly Row[]> {
  const rounds: Round[] = []
  for (let pair = 0; pair < PAIRS; pair += 1) rounds.push(...(await onePair()))
  return [
    { what: 'gRPC WhoAmI, CPU per call: bare grpc-js', unit: 'µs', value: median(rounds.map(({ bare }) => bare)) },
    { what: '– Gatehouse, token seen before', unit: 'µs', value: median(rounds.map(({ gatehouse }) => gatehouse)) },
    {
      what: '– what the check adds, median of the rounds',
      unit: '%',
      value: median(rounds.map(({ bare, gatehouse }) => (gatehouse / bare - 1) * 100)),
      goal: 15,
    },
  ]
}

/** Microseconds for a call. */
interface Round {
  readonly bare: number
  readonly gatehouse: number
}

function onePair(): Promise<readonly Round[]> {
  return measured('channels/bare-grpc-server.ts', (bare) =>
    measured('channels/grpc-server.ts', (gatehouse) => compare(caller(bare), caller(gatehouse))),
  )
}

async function compare(a: Caller, b: Caller): Promise<readonly Round[]> {
  await a.calls(WARM_UP)
  await b.calls(WARM_UP)
  const rounds: Round[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // Back and forth, so that what drifts meets both alike.
    const [a1, b1, b2, a2] = [await a.calls(CALLS), await b.calls(CALLS), await b.calls(CALLS), await a.calls(CALLS)]
    rounds.push({ bare: (a1 + a2) / 2, gatehouse: (b1 + b2) / 2 })
  }
  a.client.close()
  b.client.close()
  return rounds
}

type Caller = ReturnType<typeof caller>

function caller(server: Measured) {
  const client: Client = grpcClient(server.port)
  return {
    client,
    /** @returns microseconds of the server's CPU for one call */
    async calls(count: number): Promise<number> {
      const before = await server.ask('cpu')
      await calls(client, count, IN_FLIGHT, HEAD)
      return ((await server.ask('cpu')) - before) / count
    },
  }
}
