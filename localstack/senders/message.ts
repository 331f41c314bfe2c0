import { Buffer } from 'node:buffer'
import type { Occasion, Sample, SampleMessage } from '../../lib/webhooks/sample.ts'

/** @throws SyntaxError for a body that its provider cannot send */
export function valuesOf({ isForm }: Sample, body: Buffer): unknown {
  return isForm ? Object.fromEntries(new URLSearchParams(body.toString())) : JSON.parse(body.toString())
}

export function bytesOf({ isForm }: Sample, values: unknown): Buffer {
  return Buffer.from(isForm ? new URLSearchParams(Object.entries(Object(values))).toString() : JSON.stringify(values))
}

/** A new event of a provider, without its proof. */
export function newMessage(sample: Sample, event: string, occasion: Occasion): SampleMessage {
  const { headers, body, query } = sample.draft(event, occasion)
  const type = sample.isForm ? 'application/x-www-form-urlencoded' : 'application/json'
  return { headers: { 'content-type': type, ...headers }, body: bytesOf(sample, body), query }
}
