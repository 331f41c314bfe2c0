import { randomUUID } from 'node:crypto'
import { CONCURRENCY } from '../../../test/support/drills/account.ts'
import type { DrillStage } from '../../../test/support/drills/stage.ts'
import { get } from '../../../test/support/lambda/events/requests.ts'
import { type Drill, isOf, OLD_SECRETS, putWebhookSecrets, repeat } from './drill.ts'

const hello = (stage: DrillStage) => stage.ask({ target: '/api/public/hello' })
const events = async (stage: DrillStage) =>
  stage.ask(get('/api/webhooks/events', await stage.callers.bearer('ROLE_ADMIN')))
export const CALLS: readonly Drill[] = [
  {
    alarm: 'server-errors',
    fault: 'the store answers 500',
    works: (stage) => repeat(3, () => events(stage)),
    async breaks(stage) {
      stage.store.set('answers 500', isOf('events'))
      await repeat(2, () => events(stage))
      return undefined
    },
    finds: [/"code":"UNAVAILABLE"/, /"status":"503"/],
    shows: [/^503$/m],
    async mends(stage) {
      stage.store.set('none')
      stage.pass(16)
      await events(stage)
    },
  },
  {
    alarm: 'server-errors-slow',
    fault: 'the store answers 500 now and then',
    works: (stage) => repeat(3, () => events(stage)),
    async breaks(stage) {
      await repeat(3, async () => {
        stage.pass(20)
        await repeat(4, () => hello(stage))
        stage.store.set('answers 500', isOf('events'))
        await events(stage)
        stage.store.set('none')
      })
      if ((await stage.state('server-errors')) === 'ALARM') throw new Error('this is seen by the fast alarm')
      return undefined
    },
    shows: [],
    async mends(stage) {
      stage.pass(6 * 60)
      await events(stage)
    },
  },
  {
    alarm: 'answers-slow',
    fault: 'four seconds go by while the store answers',
    works: (stage) => repeat(3, () => events(stage)),
    async breaks(stage) {
      stage.store.set('hangs', (asked) => {
        if (isOf('events')(asked)) stage.pass(4 / 60)
        return false
      })
      await repeat(5, () => events(stage))
      return undefined
    },
    finds: [/"route":"ANY \/api\/webhooks\/events".*"calls":[5-9]/],
    shows: [/^GET \/api\/webhooks\/events 200 \d+\.\d+$/m],
    async mends(stage) {
      stage.store.set('none')
      stage.pass(61)
      await events(stage)
    },
  },
  {
    alarm: 'webhooks-refused',
    fault: 'the secret of a source was replaced on one side only',
    works: (stage) => repeat(2, () => stage.ask(stage.callers.webhook('payment'))),
    async breaks(stage) {
      putWebhookSecrets(stage, { payment: `whsec_${randomUUID()}` })
      stage.pass(OLD_SECRETS)
      await repeat(6, () => stage.ask(stage.callers.webhook('payment')))
      return undefined
    },
    finds: [/"source":"payment".*"reason":"wrong-signature"/],
    shows: [/"source":"payment".*"wrong-signature"/],
    async mends(stage) {
      putWebhookSecrets(stage, {})
      stage.pass(61)
      await stage.ask(stage.callers.webhook('payment'))
    },
  },
  {
    alarm: 'gateway-throttled',
    fault: 'more calls come than the gateway lets through',
    works: hello,
    async breaks(stage) {
      stage.limit({ perSecond: 0.001, burst: 1 })
      await repeat(3, () => hello(stage))
      return undefined
    },
    finds: [/"ip":"127.0.0.1"/],
    shows: [/^429$/m],
    async mends(stage) {
      stage.limit()
      stage.pass(6)
      await hello(stage)
    },
  },
  {
    alarm: 'limiter-failing',
    fault: 'the table of the rate limiter answers 500',
    works: (stage) => stage.ask(stage.callers.webhook('payment')),
    async breaks(stage) {
      stage.store.set('answers 500', isOf('counters'))
      await repeat(80, async () => {
        stage.pass(0.05)
        await stage.ask(stage.callers.webhook('payment'))
      })
      return undefined
    },
    finds: [/rate limit not enforced/],
    shows: [/InternalServerError/],
    async mends(stage) {
      stage.store.set('none')
      stage.pass(6)
      await stage.ask(stage.callers.webhook('payment'))
    },
  },
  {
    alarm: 'tables-throttled',
    fault: 'DynamoDB throttles the table of events',
    works: events,
    async breaks(stage) {
      stage.store.set('throttles', isOf('events'))
      await events(stage)
      return undefined
    },
    finds: [/ProvisionedThroughputExceeded|Throttl/],
    shows: [/ProvisionedThroughputExceeded/],
    async mends(stage) {
      stage.store.set('none')
      stage.pass(6)
      await events(stage)
    },
  },
  {
    alarm: 'account-concurrency',
    fault: 'the store is slow, and nine of ten functions wait for it',
    works: hello,
    async breaks(stage) {
      await busy(stage, 9).all
      stage.store.set('none')
      return undefined
    },
    finds: [/"route":"ANY \/api\/webhooks\/events"/],
    shows: [],
    async mends(stage) {
      stage.pass(6)
      await hello(stage)
    },
  },
  {
    alarm: 'functions-throttled',
    fault: 'the store is slow, and all functions of the account wait for it',
    works: hello,
    async breaks(stage) {
      const { all, refused } = busy(stage, CONCURRENCY + 4)
      calling = all
      await refused
      return undefined
    },
    finds: [/"route":"ANY \/api\/webhooks\/events"/],
    shows: [/TooManyRequestsException/],
    async mends(stage) {
      stage.store.set('none')
      await calling
      stage.pass(6)
      await hello(stage)
    },
  },
]

let calling: Promise<unknown>

/** So many calls at once, which last for as long as they wait for the store; the first that is refused tells. */
function busy(stage: DrillStage, calls: number) {
  stage.store.set('hangs', isOf('events'))
  const all = Array.from({ length: calls }, () => events(stage))
  return { all: Promise.all(all), refused: Promise.race(all) }
}
