import { type Measured, measured } from '../measured.ts'
import { median } from '../median.ts'
import type { Row } from '../table.ts'
import { type Client, calls, grpcClient } from './grpc-client.ts'
import { tokens } from './tokens.ts'

const WARM_UP = 10_000
/** Many and short: what the neighbours do then meets both servers of a round alike. */
const ROUNDS = 100
const CALLS = 300
const IN_FLIGHT = 32
const HEAD = { path: '/gatehouse.v1.AuthService/WhoAmI', token: await tokens.issue('alice', 'ROLE_USER') }

/** What a check of a known token adds to a unary call: Gatehouse against grpc-js that answers the same and checks nothing. */
export function whoAmI(): Promise<readonly Row[]> {
  return measured('channels/bare-grpc-server.ts', (bare) =>
    measured('channels/grpc-server.ts', (gatehouse) => compare(bare, gatehouse)),
  )
}

async function compare(bare: Measured, gatehouse: Measured): Promise<readonly Row[]> {
  const [a, b] = [caller(bare), caller(gatehouse)]
  await a.calls(WARM_UP)
  await b.calls(WARM_UP)
  const rounds: { bare: number; gatehouse: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    // Back and forth, so that what drifts meets both alike.
    const [a1, b1, b2, a2] = [await a.calls(CALLS), await b.calls(CALLS), await b.calls(CALLS), await a.calls(CALLS)]
    rounds.push({ bare: (a1 + a2) / 2, gatehouse: (b1 + b2) / 2 })
  }
  a.client.close()
  b.client.close()
  return [
    { what: 'gRPC WhoAmI, CPU per call: bare grpc-js', unit: 'µs', value: median(rounds.map((round) => round.bare)) },
    { what: '– Gatehouse, token seen before', unit: 'µs', value: median(rounds.map((round) => round.gatehouse)) },
    {
      what: '– what the check adds, median of the rounds',
      unit: '%',
      value: median(rounds.map((round) => (round.gatehouse / round.bare - 1) * 100)),
      goal: 15,
    },
  ]
}

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
