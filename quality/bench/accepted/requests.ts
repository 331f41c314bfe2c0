import { randomUUID } from 'node:crypto'
import { stripeEvent } from '../../../test/support/sent-events.ts'
import { type Findings, type Goal, tableOf, verdictOf } from '../findings.ts'
import type { Bundles } from '../peers.ts'
import { ask, type Subject, startSubject } from '../subjects.ts'
import { signedByStripe } from './events.ts'
import type { Meter, MeteringProxy } from './metering-proxy.ts'
import type { Round } from './subject.ts'

/** How many requests one webhook of ours makes. */
const REQUESTS: Readonly<Record<string, number>> = { accepted: 1, duplicate: 1, superseded: 2, 'bad signature': 0 }

type Meters = Readonly<Record<string, Meter>>

/** What one webhook of each kind asks of DynamoDB. */
export async function requests(
  files: Bundles,
  proxy: MeteringProxy,
  environment: Readonly<Record<string, string>>,
): Promise<Findings> {
  const all = new Map<string, Meters>()
  for (const [name, file] of files) {
    const subject = await startSubject(name, 'accepted/subject.ts', [file], environment)
    all.set(name, await metersOf(subject, proxy))
    subject.child.kill()
  }
  const goals = Object.entries(REQUESTS).map(([kind, wanted]) => requestsGoal(kind, wanted, all.get('gatehouse')))
  const rows = Object.keys(REQUESTS).map((kind, index) => [
    kind,
    ...[...all.values()].map((meters) => textOf(meters[kind])),
    verdictOf(goals[index]),
  ])
  return { table: tableOf(['requests (units)', ...all.keys(), 'goal'], rows), goals }
}

function requestsGoal(kind: string, wanted: number, meters: Meters = {}): Goal {
  const requests = meters[kind]?.requests
  const what = `DynamoDB requests for a webhook: ${kind}`
  return { what, wanted: `${wanted}`, measured: `${requests}`, isMet: requests === wanted }
}

function textOf(meter: Meter | undefined): string {
  return meter === undefined ? '' : `${meter.requests} (${meter.units})`
}

async function metersOf(subject: Subject, proxy: MeteringProxy): Promise<Meters> {
  const bad = (body: string) => signedByStripe(body, 'whsec_other')
  const intent = `pi_${randomUUID()}`
  const body = stripeEvent(2048, { intent })
  // Once in a while, what was heard and what was refused is noted.
  await meterOf(subject, proxy, signedByStripe(stripeEvent(2048)))
  await meterOf(subject, proxy, bad(body), 400)
  return {
    accepted: await meterOf(subject, proxy, signedByStripe(body)),
    duplicate: await meterOf(subject, proxy, signedByStripe(body)),
    superseded: await meterOf(
      subject,
      proxy,
      signedByStripe(stripeEvent(2048, { type: 'payment_intent.payment_failed', intent })),
    ),
    'bad signature': await meterOf(subject, proxy, bad(body), 400),
  }
}

/** What one event asks for. */
export async function meterOf(subject: Subject, proxy: MeteringProxy, event: object, status = 200): Promise<Meter> {
  proxy.take()
  await ask(subject, { events: [JSON.stringify(event)], status } satisfies Round)
  return proxy.take()
}
