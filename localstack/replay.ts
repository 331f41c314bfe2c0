import { argv, env, exit, stderr, stdout } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import users from './demo-users.json' with { type: 'json' }
import { localAddress } from './local-run.ts'
import { type Operator, type ReplayState, replayClient } from './replay-client.ts'
import { type ReplayCommand, readReplayCommand, USAGE } from './replay-options.ts'
import { barProgress, lineProgress } from './replay-progress.ts'
import { StartError } from './start-error.ts'

/** How often to ask how far the replay is, in milliseconds. */
const INTERVAL = 500

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

const command = readReplayCommand(argv.slice(2), new Date())
if (!command) {
  stderr.write(USAGE)
  exit(2)
}

try {
  exit(await run(command))
} catch (error) {
  if (!(error instanceof StartError)) throw error
  stderr.write(`${error.message}\n`)
  exit(1)
}

/** @returns the exit code: 0 when all is well, 3 when events failed again */
async function run({ mode, order, url, user }: ReplayCommand): Promise<number> {
  const address = url ?? localAddress()
  const client = replayClient(address, operatorOf(address, user))
  if (mode === 'count') {
    stdout.write(`${await client.count(order)} events match\n`)
    return 0
  }
  const start = mode === 'watch' ? await client.find(order.replayId) : await client.start(order)
  stdout.write(`${order.replayId}: ${start.matched} events match; it goes on without being watched, too\n`)
  const { done, failed } = await watch(start, client.find)
  stdout.write(`${order.replayId} is done: ${done} processed, ${failed} failed again\n`)
  return failed === 0 ? 0 : 3
}

/** Shows the progress until the replay is done. */
async function watch(start: ReplayState, find: (replayId: string) => Promise<ReplayState>): Promise<ReplayState> {
  const progress = stderr.isTTY ? barProgress(stderr) : lineProgress((line) => stdout.write(line))
  let state = start
  progress.show(state)
  try {
    while (state.state !== 'DONE') {
      await setTimeout(INTERVAL)
      state = await find(state.replayId)
      progress.show(state)
    }
  } finally {
    progress.end()
  }
  return state
}

/** Demo users exist on a local run alone, so their passwords go nowhere else. */
function operatorOf({ hostname }: URL, user: string | undefined): Operator {
  if (env['GATEHOUSE_TOKEN']) return { token: env['GATEHOUSE_TOKEN'] }
  const password = env['GATEHOUSE_PASSWORD']
  if (user !== undefined && password) return { username: user, password }
  const demo = users.find(({ username, role }) => username === (user ?? username) && role === 'ROLE_ADMIN')
  if (LOOPBACK.includes(hostname) && demo) return { username: demo.username, password: demo.password }
  throw new StartError('Who asks? Name an admin with --user and GATEHOUSE_PASSWORD, or set GATEHOUSE_TOKEN.')
}
