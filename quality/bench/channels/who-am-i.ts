import { comparison } from '../comparison.ts'
import { effort } from '../effort.ts'
import { type Findings, judged, together } from '../findings.ts'
import { type Measured, measured } from '../measured.ts'
import { median } from '../median.ts'
import { type Client, calls, grpcClient } from './grpc-client.ts'
import { tokens } from './tokens.ts'

/** Processes of each kind: how the same code came to be compiled makes up to 3 % between one process and the next. */
const PROCESSES = effort(5, 1)
const WARM_UP = effort(6000, 10)
/** Many and short: what the neighbours do then meets all servers of a round alike. */
const ROUNDS = effort(30, 1)
const CALLS = effort(300, 10)
const IN_FLIGHT = 32
const HEAD = { path: '/gatehouse.v1.AuthService/WhoAmI', token: await tokens.issue('alice', 'ROLE_USER') }

const WHY =
  'It is the difference of two large figures, and one run says nothing; on busy machines it came out up to 16 %.'

const BARE = 'grpc-js, no check'
const OURS = 'gatehouse'
const CONNECT = 'connect-node, no check'
const CONNECT_JOSE = 'connect-node + jose'
const CONNECT_CACHE = 'connect-node + jose, cache'

/** The two that are close to each other are measured the more often. */
const NEAR = { [BARE]: 'channels/bare-grpc-server.ts', [OURS]: 'channels/grpc-server.ts' }
const FAR = {
  [OURS]: 'channels/grpc-server.ts',
  [CONNECT]: 'peers/servers/connect-node.mjs',
  [CONNECT_JOSE]: 'peers/servers/connect-node-jose.mjs',
  [CONNECT_CACHE]: 'peers/servers/connect-node-jose-cache.mjs',
}

/** A unary call with a token that was seen before, and the same call of others, with and without a check of the token. */
export async function whoAmI(): Promise<Findings> {
  const near: Round[] = []
  for (let process = 0; process < PROCESSES; process += 1) near.push(...(await roundsOf(NEAR, ROUNDS)))
  const far = await roundsOf(FAR, ROUNDS)
  const of = (rounds: readonly Round[], name: string) => rounds.map((round) => round[name] ?? Number.NaN)
  const costs = (rounds: readonly Round[], names: readonly string[]) =>
    new Map(names.map((name) => [name, of(rounds, name)]))
  const added = (rounds: readonly Round[], name: string, base: string) =>
    median(rounds.map((round) => ((round[name] ?? Number.NaN) / (round[base] ?? Number.NaN) - 1) * 100))
  const unit = 'µs of CPU'
  return together({
    'WhoAmI, the token seen before': comparison({
      what: 'gRPC WhoAmI',
      unit,
      costs: costs(near, [BARE, OURS]),
    }),
    'WhoAmI against connect-node': comparison({
      what: 'gRPC WhoAmI against connect-node',
      unit,
      costs: costs(far, [OURS, CONNECT, CONNECT_JOSE, CONNECT_CACHE]),
      atLeast: { [CONNECT_JOSE]: 4, [CONNECT_CACHE]: 4 },
    }),
    'what the check adds, median of the rounds': judged([
      { what: 'Gatehouse to grpc-js', unit: '%', value: added(near, OURS, BARE), goal: 10, why: WHY },
      { what: 'jose to connect-node', unit: '%', value: added(far, CONNECT_JOSE, CONNECT) },
    ]),
  })
}

/** Microseconds for a call, by the subject. */
type Round = Readonly<Record<string, number>>

/** Runs a new process of each at the same time. */
async function roundsOf(files: Readonly<Record<string, string>>, count: number): Promise<readonly Round[]> {
  const start = (left: readonly [string, string][], callers: readonly Caller[]): Promise<readonly Round[]> => {
    const [next, ...others] = left
    if (!next) return compare(callers, count)
    const [name, file] = next
    return measured(file, (server) => start(others, [...callers, callerOf(name, server)]))
  }
  return start(Object.entries(files), [])
}

async function compare(callers: readonly Caller[], count: number): Promise<readonly Round[]> {
  for (const caller of callers) await caller.calls(WARM_UP)
  const rounds: Round[] = []
  for (let round = 0; round < count; round += 1) {
    const sums: Record<string, number> = {}
    // There and back, so that what drifts meets all alike.
    for (const { name, calls } of [...callers, ...callers.toReversed()])
      sums[name] = (sums[name] ?? 0) + (await calls(CALLS)) / 2
    rounds.push(sums)
  }
  for (const { client } of callers) client.close()
  return rounds
}

type Caller = ReturnType<typeof callerOf>

function callerOf(name: string, server: Measured) {
  const client: Client = grpcClient(server.port)
  return {
    name,
    client,
    /** @returns microseconds of the server's CPU for one call */
    async calls(count: number): Promise<number> {
      const before = await server.ask('cpu')
      await calls(client, count, IN_FLIGHT, HEAD)
      return ((await server.ask('cpu')) - before) / count
    },
  }
}
