import * as z from 'zod/mini'
import { invalid } from '../../errors.ts'
import { visible } from '../../runtime/text.ts'
import { header, summaryOf, textIn } from '../find.ts'
import { parsePayload } from '../form-payload.ts'
import { eventIdentityOf } from '../identity.ts'
import { attemptBody, Numeral } from '../json.ts'
import { identifier } from '../payload.ts'
import { type Provider, retriesFor } from '../provider.ts'
import type { Occasion, ProviderSample } from '../sample.ts'
import { bodyMac, hex } from '../schemes/body-mac.ts'
import type { EventSource, Reading, VerifiedCall } from '../source.ts'

/** The events with a handler of their own; all others are logged and acknowledged (webhooks-72). */
const HANDLERS: Readonly<Record<string, (payload: unknown) => string>> = {
  push: describePush,
  pull_request: describePullRequest,
}

/** docs.github.com/webhooks/webhook-events-and-payloads, "Delivery headers". */
const githubHeaders = z.object({ 'x-github-event': identifier })

/** GitHub has an endpoint of its own (webhooks-2). */
export const provider = {
  name: 'github',
  /** docs.github.com, "Validating webhook deliveries"; the legacy SHA-1 of `X-Hub-Signature` proves nothing here. */
  scheme: bodyMac({ header: 'x-hub-signature-256', prefix: 'sha256=', ...hex }),
  /** docs.github.com, "Handling failed webhook deliveries": nothing but redeliveries by hand, within three days. */
  retries: retriesFor(72),
  keptHeaders: ['x-github-event', 'x-github-delivery'],
  /**
   * docs.github.com, "Best practices for using webhooks": deliveries differ in `X-GitHub-Delivery`, which nobody
   * signs. Nothing in a `workflow_dispatch` names the run, so that two of them may be equal.
   */
  identity: [{ rule: 'id+body', id: header('x-github-delivery'), repeats: 'deliver' }],
  type: header('x-github-event'),
  summary: summaryOf(textIn('repository', 'full_name'), textIn('action'), textIn('ref')),
  read,
} as const satisfies Provider & EventSource

function read(call: VerifiedCall): Reading {
  const eventType = nameOfEvent(call.headers)
  const { payload, unreadable } = attemptBody(call, parsePayload)
  const identity = eventIdentityOf({ ...call, payload }, provider)
  const handle = Object.hasOwn(HANDLERS, eventType) ? HANDLERS[eventType] : undefined
  if (!handle || unreadable !== undefined) return { identity, unreadable, plan: () => ({ outcome: 'no action' }) }
  return { identity, isHandedOver: true, plan: () => ({ outcome: handle(payload) }) }
}

/** @throws ServiceError `VALIDATION_FAILED` for a call without the name of its event */
function nameOfEvent(headers: VerifiedCall['headers']): string {
  const parsed = z.safeParse(githubHeaders, headers)
  if (parsed.success) return parsed.data['x-github-event']
  throw invalid(parsed.error.issues)
}

const MAXIMUM_LENGTH = 200

const word = missable(z.pipe(z.string().check(z.minLength(1)), z.transform(shown)))
const ref = missable(z.object({ ref: word }))
const numeral = z.instanceof(Numeral).check(z.refine(({ text }) => /^\d{1,15}$/.test(text)))

/** The fields of a push that its description uses: docs.github.com/webhooks/webhook-events-and-payloads#push. */
const pushPayload = missable(
  z.object({ ref: word, commits: missable(z.array(z.unknown())), pusher: missable(z.object({ name: word })) }),
)

/**
 * The fields of a pull request that its description uses:
 * docs.github.com/webhooks/webhook-events-and-payloads#pull_request.
 */
const pullRequestPayload = missable(
  z.object({ action: word, number: missable(numeral), pull_request: missable(z.object({ base: ref, head: ref })) }),
)

/** Describes a push in one line of bounded length, for any JSON: `push to refs/heads/main: 3 commits by octocat`. */
export function describePush(payload: unknown): string {
  const { ref, commits, pusher } = z.parse(pushPayload, payload) ?? {}
  const where = ref === undefined ? 'push without a ref' : `push to ${ref}`
  const count = commits === undefined ? '' : `: ${commits.length} ${commits.length === 1 ? 'commit' : 'commits'}`
  const who = pusher?.name === undefined ? '' : ` by ${pusher.name}`
  return `${where}${count}${who}`
}

/** Describes a pull request in one line of bounded length, for any JSON: `pull request #7 opened: main <- feature`. */
export function describePullRequest(payload: unknown): string {
  const { action, number, pull_request: request } = z.parse(pullRequestPayload, payload) ?? {}
  const [base, head] = [request?.base?.ref, request?.head?.ref]
  const which = number === undefined ? 'pull request without a number' : `pull request #${number.text}`
  const what = action === undefined ? '' : ` ${action}`
  const branches = base === undefined || head === undefined ? '' : `: ${base} <- ${head}`
  return `${which}${what}${branches}`
}

/** A field that counts as missing if its value does not match the schema. */
function missable<S extends z.ZodMiniType>(schema: S) {
  return z.catch(z.optional(schema), undefined)
}

function shown(text: string): string {
  const cut = text.length > MAXIMUM_LENGTH ? `${text.slice(0, MAXIMUM_LENGTH)}…` : text
  return visible(cut)
}

/** The payload of each sample event. */
const SAMPLE_PAYLOADS: Readonly<Record<string, (occasion: Occasion) => object>> = {
  push: ({ id }) => ({
    ref: 'refs/heads/main',
    commits: [{ id, message: 'Say hello' }],
    pusher: { name: 'octocat' },
  }),
  pull_request: ({ id }) => ({
    action: 'opened',
    number: 7,
    pull_request: { title: id, base: { ref: 'main' }, head: { ref: 'feature' } },
  }),
}

export const sample = (): ProviderSample => ({
  events: ['push', 'pull_request', 'ping'],
  draft: (event, occasion) => ({
    headers: { 'x-github-event': event, 'x-github-delivery': occasion.id },
    body: {
      ...(Object.hasOwn(SAMPLE_PAYLOADS, event) ? SAMPLE_PAYLOADS[event]?.(occasion) : { zen: occasion.id }),
      repository: { full_name: 'octocat/hello-world' },
      sender: { login: 'octocat' },
    },
  }),
  prove: ({ hex }) => ({ headers: { 'x-hub-signature-256': `sha256=${hex}` } }),
  described: {
    header: '`X-Hub-Signature-256`',
    secret: 'text',
    signed: 'body',
    alike: 'Two starts of a workflow by hand have equal bodies: docs.github.com, "Best practices for using webhooks"',
  },
})
