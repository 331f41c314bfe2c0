import { resolve } from 'node:path'
import { githubEvent, stripeEvent } from '../../../test/support/sent-events.ts'
import { bounded, type Findings, tableOf, verdictOf } from '../findings.ts'
import type { Bundles } from '../peers.ts'
import { startSubject } from '../subjects.ts'
import { signedByGithub, signedByStripe } from './events.ts'
import type { MeteringProxy } from './metering-proxy.ts'
import { meterOf } from './requests.ts'

const BYTES = 3072

/** The most that an accepted webhook of 3 KB may cost. */
const MOST = 5

const WHY = 'A payment of Stripe is also in the index of the list of payments, which takes a unit.'

const STRIPE = 'an event of Stripe, a payment'

const KINDS: Readonly<Record<string, () => object>> = {
  [STRIPE]: () => signedByStripe(stripeEvent(BYTES)),
  'an event of Stripe, another one': () => signedByStripe(stripeEvent(BYTES, { type: 'payment_intent.created' })),
  'an event of GitHub': () => signedByGithub(githubEvent(BYTES)),
}

/** Write units of an accepted webhook of 3 KB; of peers, which know no other, those of a payment. */
export async function units(
  files: Bundles,
  proxy: MeteringProxy,
  environment: Readonly<Record<string, string>>,
): Promise<Findings> {
  async function unitsOf(file: string, event: () => object): Promise<number> {
    const subject = await startSubject(file, 'accepted/subject.ts', [file], environment)
    await meterOf(subject, proxy, event())
    const { units: taken } = await meterOf(subject, proxy, event())
    subject.child.kill()
    return taken
  }
  const rows: string[][] = []
  const goals = []
  for (const [kind, event] of Object.entries(KINDS)) {
    const ours = resolve(`dist/webhooks/${kind.includes('GitHub') ? 'github' : 'stripe'}/index.mjs`)
    const value = await unitsOf(ours, event)
    const what = `write units of ${kind}, 3 KB`
    const goal = bounded({ what, wanted: `≤ ${MOST}`, measured: `${value}`, why: WHY }, { value, most: MOST })
    goals.push(goal)
    rows.push([`gatehouse, ${kind}`, `${value}`, verdictOf(goal)])
  }
  const ahead = []
  for (const [name, file] of [...files].filter(([each]) => each !== 'gatehouse')) {
    const value = await unitsOf(file, KINDS[STRIPE] ?? Object)
    ahead.push({ what: `write units of ${STRIPE}, 3 KB`, peer: `${name} takes`, measured: `${value}` })
    rows.push([name, `${value}`, ''])
  }
  return { table: tableOf(['3 KB', 'write units', 'goal'], rows), goals, ahead }
}
