import { env, stderr, stdout } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { printerFor, runCommand } from './command.ts'
import { localRun } from './local-run.ts'
import { operatorOf } from './operator/operator.ts'
import { type ListedReplay, type ReplayState, replayClient } from './replay-client.ts'
import { REPLAY_USAGE, type ReplayOptions, readReplayCommand } from './replay-options.ts'
import { barProgress, lineProgress } from './replay-progress.ts'

/** The interval between requests for the progress, in milliseconds. */
const INTERVAL = 500

await runCommand({ name: 'replay', usage: REPLAY_USAGE, run: (args) => replay(readReplayCommand(args, new Date())) })

/** @returns the exit code: 0 if no event failed, 3 when events failed again */
async function replay({ mode, order, url, user, json }: ReplayOptions): Promise<number> {
  const print = printerFor(json)
  const address = url ?? localRun(env).address
  const client = replayClient(address, operatorOf(address, user, env))
  if (mode === 'list') {
    const replays = await client.list()
    for (const listed of replays) print(listed, lineOf(listed))
    if (replays.length === 0) print(undefined, 'There are no replays\n')
    return 0
  }
  if (mode === 'count') {
    const matched = await client.count(order)
    print({ matched }, `${matched} events match\n`)
    return 0
  }
  const start = mode === 'watch' ? await client.find(order.replayId) : await client.start(order)
  stdout.write(`${order.replayId}: ${start.matched} events match; it continues even if you stop watching\n`)
  const { matched, done, failed } = await watch(start, client.find)
  const result =
    order['destination'] === undefined
      ? `${done} processed, ${failed} failed again`
      : `${matched} ordered, ${done} delivered by now, ${failed} dead`
  stdout.write(`${order.replayId} is done: ${result}\n`)
  return failed === 0 ? 0 : 3
}

function lineOf({ replayId, state, matched, done, failed, ...order }: ListedReplay): string {
  const { destination, reason, user, acceptedAt } = order
  const progress = `${state}  ${done + failed}/${matched}  ${done} done  ${failed} failed`
  const where = destination === null ? '' : `  to ${destination}`
  return `${acceptedAt}  ${replayId}  ${progress}${where}  by ${user}${reason === null ? '' : `: ${reason}`}\n`
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
