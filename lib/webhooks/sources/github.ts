import * as z from 'zod/mini'
import { invalid } from '../../errors.ts'
import { formPayload } from '../form-payload.ts'
import { parseJson } from '../json.ts'
import { eventId, identifier } from '../payload.ts'
import { github } from '../schemes/github.ts'
import type { Delivery, EventSource } from '../source.ts'
import { describePullRequest, describePush } from './github-events.ts'

/** Spec 4.2, rule 5: the events with a handler of their own; every other one is logged and acknowledged. */
const HANDLERS: Readonly<Record<string, (payload: unknown) => string>> = {
  push: describePush,
  pull_request: describePullRequest,
}

/** docs.github.com/webhooks/webhook-events-and-payloads, "Delivery headers". */
const githubHeaders = z.object({ 'x-github-event': identifier, 'x-github-delivery': eventId })

/** `POST /webhooks/github`: provider B of spec 4.2. */
export const githubSource: EventSource = {
  name: 'github',
  scheme: github,
  keptHeaders: ['x-github-event', 'x-github-delivery'],
  read({ body, headers }) {
    const { 'x-github-event': eventType, 'x-github-delivery': delivery } = readHeaders(headers)
    const payload = parseJson(formPayload(body) ?? body)
    const identity = { eventId: delivery, isIdSigned: false, eventType } as const
    const handle = Object.hasOwn(HANDLERS, eventType) ? HANDLERS[eventType] : undefined
    if (!handle) return { identity, plan: () => ({ outcome: 'no action' }) }
    return { identity, isHandedOver: true, plan: () => ({ outcome: handle(payload) }) }
  },
}

function readHeaders(headers: Delivery['headers']): z.output<typeof githubHeaders> {
  const parsed = z.safeParse(githubHeaders, headers)
  if (parsed.success) return parsed.data
  throw invalid(parsed.error.issues)
}
