import { randomUUID } from 'node:crypto'
import { LEDGER } from '../../../test/support/drills/config.ts'
import type { DrillStage } from '../../../test/support/drills/stage.ts'
import { withFields } from '../../../test/support/lambda/callers.ts'
import { postJson } from '../../../test/support/lambda/events/requests.ts'
import { type Drill, repeat, until } from './drill.ts'
import { settle } from './events.ts'

const DAY = 24 * 60

const work = (stage: DrillStage) => stage.work(`deliver-${LEDGER}`, 'deliverLedger')

/** An event for the destination. */
async function send(stage: DrillStage): Promise<{ readonly EVENT: string }> {
  const EVENT = `evt_${randomUUID()}`
  const { status, text } = await stage.ask(stage.callers.webhook('stripe', withFields({ id: EVENT })))
  if (status >= 300) throw new Error(text)
  return { EVENT }
}

/** A minute of the stage. */
async function minute(stage: DrillStage, minutes = 1): Promise<void> {
  stage.pass(minutes)
  await stage.run('deliveryScan')
  await until(async () => (await work(stage)) === 0)
}

/** Until nothing waits for the destination. */
async function deliverAll(stage: DrillStage): Promise<void> {
  stage.sqs.set('none')
  await stage.queues.make(LEDGER)
  await until(async () => {
    await minute(stage, 6)
    const { text } = await stage.ask({
      target: '/api/destinations',
      headers: [await stage.callers.bearer('ROLE_ADMIN')],
    })
    return JSON.parse(text).destinations[0].waiting === 0
  })
}

const isToLedger = ({ body }: { readonly body: string }) => body.includes(`/${LEDGER}"`)

const order = async (stage: DrillStage, what: string) =>
  stage.ask(postJson(`/api/destinations/${LEDGER}/${what}`, {}, await stage.callers.bearer('ROLE_ADMIN')))

export const DESTINATIONS: readonly Drill[] = [
  {
    alarm: 'oldest-delivery',
    of: LEDGER,
    fault: 'nobody reads the queue of a destination',
    works: deliverAll,
    async breaks(stage) {
      const event = await send(stage)
      stage.pass(71)
      await stage.run('deliveryScan')
      return event
    },
    shows: [/"waiting":1/],
    async mends(stage) {
      await deliverAll(stage)
      stage.pass(61)
      await stage.run('deliveryScan')
    },
  },
  {
    alarm: 'circuit-open',
    of: LEDGER,
    fault: 'a destination answers 500',
    works: deliverAll,
    async breaks(stage) {
      stage.sqs.set('answers 500', isToLedger)
      await repeat(10, () => send(stage))
      await repeat(20, () => minute(stage))
      return undefined
    },
    shows: [/"state":"OPEN".*"lastAnswer"/],
    async mends(stage) {
      await deliverAll(stage)
      await repeat(4, () => minute(stage))
    },
  },
  {
    alarm: 'dead-deliveries',
    of: LEDGER,
    fault: 'a destination answers 500 for as long as it is tried',
    works: deliverAll,
    async breaks(stage) {
      stage.sqs.set('answers 500', isToLedger)
      const event = await send(stage)
      await until(async () => {
        await minute(stage, 5)
        return (await stage.state(`dead-deliveries-${LEDGER}`)) === 'ALARM'
      }, 80)
      return event
    },
    shows: [/"status":"DEAD"/, /"status":"PENDING"/],
    mends: deliverAll,
  },
  {
    alarm: 'message-refused',
    fault: 'the queue of a destination never takes a message',
    works: deliverAll,
    async breaks(stage) {
      stage.sqs.set('refuses the text', isToLedger)
      const event = await send(stage)
      await minute(stage)
      return event
    },
    finds: [/"answer":"InvalidMessageContents"/],
    shows: [/"status":"DEAD".*"answer":"InvalidMessageContents"/],
    async mends(stage) {
      await deliverAll(stage)
      stage.pass(6)
    },
  },
  {
    alarm: 'destination-disabled',
    of: LEDGER,
    fault: 'an operator has disabled a destination',
    works: deliverAll,
    async breaks(stage) {
      await order(stage, 'disable')
      await minute(stage)
      return undefined
    },
    shows: [/"state":"DISABLED"/, /"state":"CLOSED"/],
    mends: (stage) => minute(stage, 6),
  },
  {
    alarm: 'delivery-dead',
    of: LEDGER,
    fault: 'the function of a destination cannot read its table, five times',
    works: deliverAll,
    async breaks(stage) {
      await send(stage)
      stage.store.set('denies', ({ body }) => body.includes('gatehouse-drills-deliveries"'))
      await repeat(6, async () => {
        await work(stage)
        stage.pass(10)
      })
      return undefined
    },
    shows: [/"ApproximateNumberOfMessages": "[1-9]/, /^$/],
    async mends(stage) {
      stage.store.set('none')
      stage.pass(2)
      await deliverAll(stage)
    },
  },
  {
    alarm: 'payload-overdue',
    fault: 'a destination has been disabled for weeks',
    async works(stage) {
      await settle(stage)
      await deliverAll(stage)
      stage.pass(11 * DAY)
      await stage.run('retention')
    },
    async breaks(stage) {
      const event = await send(stage)
      await order(stage, 'disable')
      stage.pass(19 * DAY)
      await stage.run('retention')
      return event
    },
    shows: [/#held/, /^204$/m],
    async mends(stage) {
      await order(stage, 'enable')
      stage.pass(DAY + 1)
      await stage.run('retention')
    },
  },
]
