import { describe, expect, it } from 'vitest'
import { KNOWN } from '../../../../lib/webhooks/sources/catalog.ts'
import { type Bench, isProven } from '../../../../localstack/receiver/faults.ts'
import type { Receiver } from '../../../../localstack/receiver/receiver.ts'
import { trial } from '../../../../localstack/receiver/trial.ts'
import { signerOf } from '../../../../localstack/senders/signers.ts'
import { knownSender, SENDERS } from '../../../../localstack/senders/table.ts'

/** Judges as the provider's own verifier does. */
function strict(bench: Bench): Receiver {
  return {
    async ask(call) {
      const isGood = isProven(bench, { ...call, body: call.headers['content-encoding'] ? Buffer.alloc(0) : call.body })
      return call.method === 'GET' ? '405' : isGood ? '200' : '401'
    },
    stall: async () => () => {},
  }
}

/** What some providers cannot send; a second secret is not given here. */
const LEFT_OUT: Readonly<Record<string, readonly string[]>> = {
  stripe: ['next-secret'],
  'standard-webhooks': ['next-secret'],
  paddle: ['late', 'next-secret'],
  github: ['late', 'two-signatures', 'next-secret', 'old-time'],
  payment: ['unknown-event', 'two-signatures', 'next-secret'],
  dropbox: ['repeated', 'two-at-once', 'late', 'unknown-event', 'two-signatures', 'next-secret', 'old-time'],
  telegram: ['late', 'unicode', 'two-signatures', 'next-secret', 'old-time', 'whitespace'],
}

describe('a bench as any provider that can be sent as', () => {
  it.each(Object.keys(SENDERS))('finds no fault in a strict receiver, at 11 faults or more: %s', async (name) => {
    const credentials = signerOf(KNOWN.providerOf(name).scheme.methods[0]).make()
    const sender = knownSender(name, KNOWN)
    const bench = { name, sender, sources: KNOWN, source: 'docs', url: 'https://hooks.example.com/', credentials }
    const { verdicts, leftOut } = await trial(bench, { receiver: strict(bench) })
    expect(verdicts.filter(({ ok }) => !ok)).toEqual([])
    expect(verdicts.length).toBeGreaterThanOrEqual(11)
    if (LEFT_OUT[name]) expect(Object.keys(leftOut)).toEqual(LEFT_OUT[name])
  })
})
