import { setTimeout } from 'node:timers/promises'
import { canConnect } from '../../localstack/emulators/dynamodb.ts'
import type { Ready } from '../../localstack/ready.ts'
import type { Random } from '../../test/support/random.ts'
import type { Stack } from '../../test/support/stack.ts'

interface Victim {
  /** What its command line has; undefined for the whole tree, which an operator starts again. */
  readonly command?: string
  readonly answers: (ready: Ready, authorization: string) => Promise<boolean>
}

const isOk = (url: string, headers = {}) => fetch(url, { headers }).then(({ ok }) => ok)
const portOf = (address: string) => Number(address.slice(address.lastIndexOf(':') + 1))

const VICTIMS = {
  service: {
    command: 'serverless/bin/serverless.js',
    answers: ({ http }) => isOk(`${http}/api/public/hello`),
  },
  database: {
    command: 'dynoxide serve',
    answers: ({ http }, authorization) => isOk(`${http}/api/webhooks/events?limit=1`, { authorization }),
  },
  queue: { command: 'emulators/sqs-server.ts', answers: ({ sqs }) => canConnect(portOf(sqs)) },
  adapter: { command: 'dist/adapter/index.mjs', answers: ({ grpc }) => canConnect(portOf(grpc)) },
  tree: { answers: ({ http }) => isOk(`${http}/api/public/hello`) },
} as const satisfies Record<string, Victim>

export type VictimName = keyof typeof VICTIMS

export const VICTIM_NAMES = Object.keys(VICTIMS) as readonly VictimName[]

/** So many victims, each kind in its turn, in a random order at every turn. */
export function* victims(random: Random, kills: number): Generator<VictimName> {
  let bag: VictimName[] = []
  for (let kill = 0; kill < kills; kill++) {
    if (bag.length === 0) bag = [...VICTIM_NAMES]
    const name = random.pick(bag)
    bag.splice(bag.indexOf(name), 1)
    yield name
  }
}

interface Killing {
  readonly stack: Stack
  readonly authorization: string
  /** Brings up the whole tree. */
  readonly start: () => Promise<Stack>
}

/** Kills a victim with SIGKILL and waits until it answers again. */
export async function kill(name: VictimName, { stack, authorization, start }: Killing): Promise<Stack> {
  const { command, answers }: Victim = VICTIMS[name]
  const after = command === undefined ? await restart(stack, start) : await struck(stack, command)
  while (!(await answers(after.ready, authorization).catch(() => false))) await setTimeout(10)
  return after
}

async function restart(stack: Stack, start: () => Promise<Stack>): Promise<Stack> {
  await stack.kill()
  return start()
}

async function struck(stack: Stack, command: string): Promise<Stack> {
  await stack.killPart(command)
  return stack
}
