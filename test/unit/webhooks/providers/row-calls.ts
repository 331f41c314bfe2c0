import { Buffer } from 'node:buffer'
import { SAMPLES } from '../../../../lib/webhooks/providers/samples.ts'
import { bytesOf } from '../../../../localstack/senders/message.ts'
import type { ProvenCall } from '../../../../localstack/senders/prove.ts'
import { withSetting } from '../../../../localstack/senders/table.ts'
import { START } from '../../../support/fakes/clock.ts'
import { signedBy } from '../../../support/webhook-receiver.ts'
import { ROWS, type Row, type Step } from './rules.ts'

export const rows = Object.entries(ROWS).map(([key, given]): [string, Row] => {
  const { name = key.split(',')[0] ?? '' } = given
  return [key, { sender: SAMPLES[name as keyof typeof SAMPLES], ...given, name }]
})

const ID = '8a6e0804-2bd0-4672-b79d-d97027f9071a'

/** A call of a row's sender: the first one, or one that follows it. */
export function callOf(
  { name, sender, first = {} }: Row,
  step: Step = {},
  event: string = sender.events[0],
): ProvenCall {
  const draft = sender.draft(event, { id: ID, at: START })
  const body = withValues(step.body ?? withValues(first.body ?? draft.body, first.set), step.set)
  const headers = { ...draft.headers, ...first.headers, ...step.headers }
  const query = first.query?.(typeof body === 'string' ? Buffer.from(body) : bytesOf(sender, body)) ?? ''
  const { after = 0, signedAfter = after } = step
  return signedBy(name, sender, { headers, body, query }, new Date(START.getTime() + signedAfter * 1000))
}

function withValues(body: unknown, values: Step['set'] = {}): unknown {
  return Object.entries(values).reduce(
    (changed, [path, value]) => withSetting(changed, { path: path.split('.'), value }),
    body,
  )
}
