import { Buffer } from 'node:buffer'
import { SAMPLES } from '../../lib/webhooks/providers/samples.ts'
import type { Sample } from '../../lib/webhooks/sample.ts'
import { sha256 } from '../../lib/webhooks/schemes/methods.ts'

/** Ways of providers to call that their samples do not take. */

/** The generic signature without a time. */
export const untimed: Sample = {
  ...SAMPLES.generic,
  prove: ({ hex }) => ({ headers: { 'x-signature': hex } }),
}

/** GitLab with a secret token, which signs nothing. */
export const tokened: Sample = {
  ...SAMPLES.gitlab,
  prove: ({ text }) => ({ headers: { 'x-gitlab-token': text } }),
}

/** A message that a route of Mailgun forwards: a form with the proof among its fields. */
export const routed: Sample = {
  ...SAMPLES.mailgun,
  isForm: true,
  draft: (_, { id }) => ({
    body: { recipient: 'user@example.com', subject: 'Hello', token: id.replaceAll('-', '').padEnd(50, '0') },
  }),
  prove: ({ hex: signature, seconds: timestamp }, { body }) => {
    const fields = { ...Object.fromEntries(new URLSearchParams(body.toString())), timestamp, signature }
    return { body: Buffer.from(new URLSearchParams(fields).toString()) }
  },
}

const { isForm: _, ...jsonOfTwilio } = SAMPLES.twilio

/** Events of Twilio in JSON, whose hash is in the address. */
export const hashed: Sample = {
  ...jsonOfTwilio,
  draft: (type, { id }) => ({
    headers: { 'i-twilio-idempotency-token': id },
    body: [{ specversion: '1.0', id, type }],
  }),
}

/** The query of the address that {@link hashed} calls. */
export function hashQuery(body: Buffer): string {
  return `?bodySHA256=${sha256(body).toString('hex')}`
}
