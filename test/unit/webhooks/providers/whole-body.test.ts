import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { providerOf } from '../../../../lib/webhooks/providers/index.ts'
import type { Sample } from '../../../../lib/webhooks/sample.ts'
import type { SignedCall } from '../../../../lib/webhooks/schemes/scheme.ts'
import { verify } from '../../../../lib/webhooks/verify.ts'
import { bytesOf, newMessage, valuesOf } from '../../../../localstack/senders/message.ts'
import { SENDERS } from '../../../../localstack/senders/table.ts'
import { START } from '../../../support/fakes/clock.ts'
import { sharedSecret, signedBy } from '../../../support/webhook-receiver.ts'

/** Longer than a hash's block, a page of memory and what a socket reads at once. */
const FILLING = 'x'.repeat(70_000)

/** A call with a long body, and what the receiver makes of it. */
function longCall(name: string, sender: Sample) {
  const { headers, body } = newMessage(sender, sender.events[0], { id: randomUUID(), at: START })
  const long = bytesOf(sender, { ...Object(valuesOf(sender, body)), filling: FILLING })
  const call = signedBy(name, sender, { headers, body: long }, START)
  const scheme = { scheme: providerOf(name).scheme, secrets: [{ value: sharedSecret(name) }], now: START }
  return { call, judge: (body: SignedCall['body']) => verify({ ...call, body }, scheme) }
}

function changedAt(body: SignedCall['body'], place: number): SignedCall['body'] {
  const changed = Buffer.from(body)
  changed[place] = changed.readUInt8(place) ^ 1
  return changed
}

const SIGNING_THE_BODY = Object.entries(SENDERS).filter(([name, sender]) => {
  const { call, judge } = longCall(name, sender)
  const verdict = judge(call.body)
  return verdict.ok && verdict.proven.covers === 'body'
})

it('the samples of almost all senders sign their body', () => {
  expect(SIGNING_THE_BODY.length).toBeGreaterThan(Object.keys(SENDERS).length / 2)
})

it.each(SIGNING_THE_BODY)(
  '%s: no byte of a long body can be changed, added or taken away, however far behind its beginning',
  (name, sender) => {
    const { call, judge } = longCall(name, sender)
    const { body } = call
    const within = body.indexOf(FILLING)
    for (const place of [within, within + 256, within + 4096, within + 65_536]) {
      expect(judge(changedAt(body, place)), `byte ${place}`).toMatchObject({ ok: false, reason: 'wrong-signature' })
    }
    const shorter = Buffer.concat([body.subarray(0, within + 65_536), body.subarray(within + 65_537)])
    const longer = Buffer.concat([body.subarray(0, within + 65_536), Buffer.from('x'), body.subarray(within + 65_536)])
    for (const changed of [shorter, longer]) expect(judge(changed)).toMatchObject({ ok: false })
  },
)
