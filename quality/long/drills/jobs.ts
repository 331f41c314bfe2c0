import { randomUUID } from 'node:crypto'
import type { DrillStage } from '../../../test/support/drills/stage.ts'
import { postJson } from '../../../test/support/lambda/events/requests.ts'
import { type Drill, repeat, until } from './drill.ts'

const DAY = 24 * 60

const work = (stage: DrillStage) => stage.work('replay', 'replayStep')

const isOfIndex =
  (name: string) =>
  ({ body }: { readonly body: string }) =>
    body.includes(`"IndexName":"${name}"`)

async function newReplay(stage: DrillStage, source: string): Promise<{ readonly REPLAY: string }> {
  const REPLAY = `replay-${randomUUID()}`
  const body = { replayId: REPLAY, filter: { source, status: 'FAILED' } }
  const { status, text } = await stage.ask(
    postJson('/api/webhooks/replays', body, await stage.callers.bearer('ROLE_ADMIN')),
  )
  if (status >= 300) throw new Error(text)
  return { REPLAY }
}

/** Until no step is left. */
async function finish(stage: DrillStage): Promise<void> {
  await until(async () => {
    stage.pass(6)
    await stage.run('retryScan')
    await work(stage)
    return (await stage.queues.heldIn('replay')) === 0
  })
}

/** A replay that waits for an event whose worker was killed, and which nobody takes over. */
async function restlessReplay(stage: DrillStage) {
  await stage.callers.failedEvent()
  const replay = await newReplay(stage, 'payment')
  await stage.redeploy(['replayStep'], { timeoutSeconds: 3 })
  stage.store.set('hangs', ({ operation }) => operation === 'TransactWriteItems')
  await repeat(3, () => work(stage))
  stage.store.set('none')
  stage.pass(4)
  return replay
}

export const JOBS: readonly Drill[] = [
  {
    alarm: 'scan-silent',
    fault: 'the rule calls the scan no more',
    works: (stage) =>
      repeat(2, async () => {
        stage.pass(5)
        await stage.run('retryScan')
      }),
    async breaks(stage) {
      stage.pass(10.5)
      return undefined
    },
    finds: [/retry scan/],
    shows: [/"StatusCode": 200/],
    mends: async () => {},
  },
  {
    alarm: 'scan-failed',
    fault: 'the role lacks a right to an index',
    works: (stage) => stage.run('retryScan'),
    async breaks(stage) {
      stage.store.set('denies', isOfIndex('due'))
      await repeat(2, async () => {
        stage.pass(5)
        await stage.run('retryScan')
      })
      return undefined
    },
    finds: [/AccessDenied/],
    shows: [/"FunctionError": "Unhandled"/],
    async mends(stage) {
      stage.store.set('none')
      stage.pass(16)
      await stage.run('retryScan')
    },
  },
  {
    alarm: 'replay-waiting',
    fault: 'nobody reads the queue of steps',
    async breaks(stage) {
      const replay = await newReplay(stage, 'github')
      await stage.state('replay-waiting')
      stage.pass(31)
      return replay
    },
    // The page says what it means that there is no line.
    finds: [/^\[\]$/],
    shows: [/RUNNING/],
    async mends(stage) {
      await finish(stage)
      stage.pass(6)
    },
  },
  {
    alarm: 'replay-dead',
    fault: 'the store answers 500 to the steps of a replay, five times',
    async breaks(stage) {
      const replay = await newReplay(stage, 'github')
      stage.store.set('answers 500', ({ body }) => body.includes('gatehouse-drills-replays"'))
      await repeat(6, async () => {
        await work(stage)
        stage.pass(4)
      })
      stage.store.set('none')
      return replay
    },
    finds: [/"cause.code":"UNAVAILABLE"/],
    shows: [/"state":"RUNNING"/, /"ApproximateNumberOfMessages": "[1-9]/],
    async mends(stage) {
      await stage.queues.purge('replay-dead')
      await finish(stage)
      stage.pass(2)
    },
  },
  {
    alarm: 'loop-dropped',
    fault: 'somebody has taken RecursiveLoop: Allow from the function that works at replays',
    async breaks(stage) {
      const replay = await restlessReplay(stage)
      await stage.redeploy(['replayStep'], { mayLoop: false })
      await until(async () => {
        stage.pass(0.2)
        await work(stage)
        return (await stage.state('loop-dropped')) === 'ALARM'
      })
      return replay
    },
    finds: [/"max\(step\)":1\d/],
    shows: [/"state":"RUNNING"/],
    async mends(stage) {
      await stage.redeploy(['replayStep'])
      await stage.queues.purge('retry')
      stage.pass(6)
    },
  },
  {
    alarm: 'retention-silent',
    fault: 'the rule calls the job no more',
    works: (stage) =>
      repeat(3, async () => {
        stage.pass(DAY)
        await stage.run('retention')
      }),
    async breaks(stage) {
      stage.pass(3 * DAY + 1)
      return undefined
    },
    finds: [/payloads deleted/],
    shows: [/"StatusCode": 200/],
    mends: async () => {},
  },
  {
    alarm: 'retention-failed',
    fault: 'the role lacks a right to an index',
    works: (stage) => stage.run('retention'),
    async breaks(stage) {
      stage.store.set('denies', isOfIndex('byTime'))
      await stage.run('retention')
      return undefined
    },
    finds: [/AccessDenied/],
    shows: [/"FunctionError": "Unhandled"/],
    async mends(stage) {
      stage.store.set('none')
      stage.pass(61)
      await stage.run('retention')
    },
  },
]
