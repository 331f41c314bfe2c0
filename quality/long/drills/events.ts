import type { DrillStage } from '../../../test/support/drills/stage.ts'
import { type Drill, isOf, repeat, until } from './drill.ts'

const work = (stage: DrillStage) => stage.work('retry', 'retryEvent')

/** Until the queue of hints has nothing for anybody, and no event is due any more. */
export async function settle(stage: DrillStage): Promise<void> {
  await until(async () => {
    stage.pass(61)
    await stage.run('retryScan')
    const messages = await work(stage)
    return messages === 0 && (await stage.queues.heldIn('retry')) === 0
  })
}

export const EVENTS: readonly Drill[] = [
  {
    alarm: 'oldest-due',
    fault: 'the worker may not write what events change',
    works: (stage) => stage.run('retryScan'),
    async breaks(stage) {
      await stage.callers.failedEvent()
      stage.store.set('denies', isOf('payments'))
      stage.pass(80)
      await stage.run('retryScan')
      await work(stage)
      return undefined
    },
    finds: [/webhook retry failed.*AccessDenied/],
    shows: [/"ApproximateNumberOfMessages(?:Delayed|NotVisible)?": "[1-9]/],
    async mends(stage) {
      stage.store.set('none')
      await settle(stage)
      stage.pass(61)
      await stage.run('retryScan')
    },
  },
  {
    alarm: 'dead-events',
    fault: 'a payment contradicts the one that is stored, at every attempt',
    async breaks(stage) {
      const EVENT = await stage.callers.failedEvent()
      await until(async () => {
        stage.pass(16)
        await work(stage)
        return (await stage.state('dead-events')) === 'ALARM'
      })
      return { EVENT }
    },
    finds: [/"source":"payment"/],
    shows: [/"dead":true/, /events? match/, /"status":"FAILED"/],
    async mends(stage) {
      stage.pass(6)
    },
  },
  {
    alarm: 'retry-waiting',
    fault: 'nobody reads the queue of hints',
    async breaks(stage) {
      await stage.callers.failedEvent()
      await stage.state('retry-waiting')
      stage.pass(31)
      return undefined
    },
    // Whether the emulator has noticed that the delay is over, or not.
    shows: [/"ApproximateNumberOfMessages(?:Delayed)?": "[1-9]/],
    async mends(stage) {
      await settle(stage)
      stage.pass(6)
    },
  },
  {
    alarm: 'retry-dead',
    fault: 'the store answers 500 to the worker, five times',
    async breaks(stage) {
      await stage.callers.failedEvent()
      stage.pass(6)
      stage.store.set('answers 500', isOf('events'))
      await repeat(6, async () => {
        await work(stage)
        stage.pass(2)
      })
      return undefined
    },
    finds: [/UNAVAILABLE|InternalServerError/],
    shows: [/"ApproximateNumberOfMessages": "[1-9]/, /^$/],
    async mends(stage) {
      stage.store.set('none')
      stage.pass(2)
    },
  },
  {
    alarm: 'loop-stopped',
    fault: 'the delays were made shorter while a hint was on its way',
    async breaks(stage) {
      await stage.redeploy(['webhookPayment'], {}, { WEBHOOK_RETRY_DELAY_MINUTES: '1440' })
      await stage.redeploy(['retryEvent'], {}, { WEBHOOK_RETRY_DELAY_MINUTES: '1' })
      await stage.callers.failedEvent()
      await until(async () => {
        stage.pass(15.5)
        await work(stage)
        return (await stage.state('loop-stopped')) === 'ALARM'
      })
      return undefined
    },
    finds: [/"source":"payment"/],
    shows: [/"status":"FAILED".*"nextRetryAt":"/],
    async mends(stage) {
      await stage.redeploy(['webhookPayment', 'retryEvent'])
      stage.pass(6)
    },
  },
]
