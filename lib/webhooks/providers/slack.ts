import { challengeAt } from '../challenge.ts'
import { body, first, pick, textIn } from '../find.ts'
import { parseFormOrJson } from '../form-payload.ts'
import { type Handshake, type Provider, retriesFor } from '../provider.ts'
import { type ProviderSample, secondsOf } from '../sample.ts'
import { versioned } from '../schemes/timestamped.ts'

export const provider = {
  /** api.slack.com/authentication/verifying-requests-from-slack. */
  scheme: versioned('x-slack-signature', 'x-slack-request-timestamp'),
  /** Events have an id; slash commands and interactions, which are forms, have none. */
  identity: [{ rule: 'signed-id', id: body('event_id') }],
  /** api.slack.com, "Events API": three tries within five minutes, each with a time of its own. */
  retries: retriesFor(1, true),
  type: first(textIn('event', 'type'), textIn('type'), textIn('command')),
  parse: parseFormOrJson,
  keptHeaders: ['x-slack-retry-num', 'x-slack-retry-reason'],
  handshake,
  /** The check of the certificate of a command's address: by POST, unsigned, or by GET (slackapi/bolt-js#2898). */
  ping: /^(?:token=\w{1,64}&)?ssl_check=1(?:&token=\w{1,64})?$/,
  challenge: { parameter: 'ssl_check', query: { ssl_check: '1' } },
} as const satisfies Provider

export const sample = (): ProviderSample => ({
  events: ['message', 'app_mention', 'reaction_added'],
  draft: (type, { id, at }) => ({
    body: {
      type: 'event_callback',
      team_id: 'T0GATE',
      event_id: `Ev${id}`,
      event_time: secondsOf(at),
      event: { type, user: 'U0USER', text: 'Hello', channel: 'C0DEMO' },
    },
  }),
  prove: ({ hex, seconds }) => ({
    headers: { 'x-slack-request-timestamp': seconds, 'x-slack-signature': `v0=${hex}` },
  }),
  described: { header: '`X-Slack-Signature`', secret: 'text', signed: 'time (300 s), body' },
})

/** api.slack.com/events/url_verification. */
function handshake(payload: unknown): Handshake | undefined {
  if (pick(payload, ['type']) !== 'url_verification') return undefined
  return { body: { challenge: challengeAt(payload, 'challenge') } }
}
