import { randomUUID } from 'node:crypto'
import type { DrillStage } from '../../../test/support/drills/stage.ts'
import { withFields } from '../../../test/support/lambda/callers.ts'
import { DOMAIN } from '../../../test/support/lambda/http-api.ts'
import { type Drill, isOf, OLD_SECRETS, putWebhookSecrets, repeat } from './drill.ts'

const DAY = 24 * 60

/** Calls of a source are noted, and refusals counted, by ten minutes. */
const NEXT_SPAN = 11

/** Refusals of one cause are written at most each ten seconds; in minutes. */
const NEXT_REFUSAL = 0.2

const LAST = `last-${randomUUID()}`

async function take(stage: DrillStage, name: 'payment' | 'order-status', fields = {}): Promise<void> {
  const { status, text } = await stage.ask(stage.callers.webhook(name, withFields(fields)))
  if (status !== 200) throw new Error(text)
}

const sendCanaries = (stage: DrillStage) =>
  repeat(3, async () => {
    stage.pass(5.1)
    await stage.run('canary')
  })

export const SOURCES: readonly Drill[] = [
  {
    alarm: 'silent-sources',
    fault: 'a source that spoke each day says nothing for two',
    async works(stage) {
      await repeat(8, async (day) => {
        stage.pass(DAY)
        await take(stage, 'payment', day === 7 ? { eventId: LAST } : {})
      })
      await stage.run('retryScan')
    },
    async breaks(stage) {
      stage.pass(2 * DAY + 1)
      await stage.run('retryScan')
      return { SOURCE: 'payment' }
    },
    finds: [/"source":"payment","latest\(lastAt\)":"\d.*","latest\(usualMs\)":86\d{6}/],
    shows: [new RegExp(`"source":"payment","eventId":"${LAST}"`)],
    async mends(stage) {
      stage.pass(61)
      await take(stage, 'payment')
      await stage.run('retryScan')
    },
  },
  {
    alarm: 'refused-sources',
    fault: 'the secret of a source was replaced on one side only, and others are taken',
    async works(stage) {
      await take(stage, 'order-status')
      await stage.run('retryScan')
    },
    async breaks(stage) {
      putWebhookSecrets(stage, { 'order-status': randomUUID() })
      stage.pass(OLD_SECRETS + NEXT_SPAN)
      await repeat(6, async () => {
        await stage.ask(stage.callers.webhook('order-status'))
        await take(stage, 'payment')
        stage.pass(NEXT_REFUSAL)
      })
      await stage.run('retryScan')
      if ((await stage.state('webhooks-refused')) === 'ALARM')
        throw new Error('this is seen by the alarm of all sources')
      return { SOURCE: 'order-status' }
    },
    finds: [
      /"source":"order-status","reason":"wrong-signature","count\(\)":6.*"source":"order-status","reason":null,"count\(\)":1/,
    ],
    shows: [/"source":"order-status","reason":"wrong-signature"/],
    async mends(stage) {
      putWebhookSecrets(stage, {})
      stage.pass(OLD_SECRETS + NEXT_SPAN)
      await take(stage, 'order-status')
      await stage.run('retryScan')
    },
  },
  {
    alarm: 'canary-unanswered',
    fault: 'the store answers 500 to the function that takes webhooks',
    async works(stage) {
      await stage.redeploy(['canary'], {}, { DRILL_REDIRECT: `${DOMAIN} ${stage.url}` })
      await sendCanaries(stage)
    },
    async breaks(stage) {
      stage.store.set('answers 500', isOf('events'))
      await sendCanaries(stage)
      return undefined
    },
    finds: [/"message":"canary unanswered","status":503/],
    shows: [/"unanswered"/],
    async mends(stage) {
      stage.store.set('none')
      stage.pass(5)
      await stage.run('canary')
    },
  },
]
