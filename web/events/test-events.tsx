import { signal, useSignal } from '@preact/signals'
import { LOCAL_PATHS, type LocalSender, type SignedRequest, type TestEvent } from '../../lib/contract/console.ts'
import { answerOf, ask, wordsOf } from '../ask.ts'
import { type Exchange, makeCall } from '../call.ts'
import { isLocal } from '../facts.ts'
import { problemIn } from '../problem.ts'
import { Badge, type Tone } from '../ui/badge.tsx'
import { Field, Modal } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Problem } from '../ui/text.tsx'
import { EventLink } from './navigation.tsx'
import { INDEX_DELAY_MS, refreshWithin } from './reading.ts'

/** The senders that the local run can sign as; undefined until the list is loaded. */
export const localSenders = signal<readonly LocalSender[] | undefined>(undefined)

/** A webhook that this page sent, and its answer. */
export interface SentWebhook {
  readonly request: SignedRequest
  readonly exchange: Exchange
}

/** The webhooks of the last order, in the order in which they were sent. */
export const sent = signal<readonly SentWebhook[]>([])

/** The last error. */
export const sendProblem = signal<string | undefined>(undefined)

export const isSending = signal(false)

/** Loads the senders unless they are known. */
export async function findSenders(): Promise<void> {
  if (localSenders.peek()) return
  sendProblem.value = undefined
  try {
    const offered = await ask<{ readonly senders: readonly LocalSender[] }>(LOCAL_PATHS.senders)
    localSenders.value = offered.senders
  } catch (error) {
    sendProblem.value = wordsOf(error)
  }
}

/** Lets the local run sign a webhook, and sends it as its provider would. */
export async function send(order: TestEvent): Promise<void> {
  if (isSending.peek()) return
  isSending.value = true
  sendProblem.value = undefined
  sent.value = []
  try {
    const { requests } = await ask<{ readonly requests: readonly SignedRequest[] }>(LOCAL_PATHS.testEvents, {
      method: 'POST',
      body: order,
    })
    // The second of two contradicts the first.
    for (const request of requests) sent.value = [...sent.peek(), await deliver(request)]
  } catch (error) {
    sendProblem.value = wordsOf(error)
  } finally {
    isSending.value = false
    refreshWithin(INDEX_DELAY_MS)
  }
}

async function deliver(request: SignedRequest): Promise<SentWebhook> {
  const { method, path, headers, body } = request
  return { request, exchange: await answerOf(makeCall({ method, path, headers, body, withSession: false })) }
}

/** Whether the answer to a webhook is the one that its provider expects. */
export function isAnsweredAsExpected({ request, exchange }: SentWebhook): boolean {
  return request.expected === exchange.status
}

const isOpen = signal(false)

/** Sends webhooks that the local run signs; a deployed service does not sign webhooks. */
export function TestEventButton({ isMain = false }: { readonly isMain?: boolean }) {
  if (!isLocal) return null
  return (
    <button type="button" class={isMain ? 'btn main-btn' : 'btn'} onClick={open}>
      <Icon name="send" />
      Send test event
    </button>
  )
}

function open(): void {
  isOpen.value = true
  void findSenders()
}

/** What the buttons open. */
export function TestEventDialog() {
  if (!isOpen.value) return null
  return (
    <Modal title="Send a test event" close={() => (isOpen.value = false)}>
      <Offer />
      <Result />
    </Modal>
  )
}

function Offer() {
  if (!localSenders.value) return sendProblem.value === undefined ? <p class="muted">Loading …</p> : null
  if (localSenders.value.length === 0) return <p class="muted">No provider has a secret in this run.</p>
  return <TestEventForm offered={localSenders.value} />
}

function TestEventForm({ offered }: { readonly offered: readonly LocalSender[] }) {
  const source = useSignal(offered.find(({ failing }) => failing.length > 0)?.name ?? offered[0]?.name ?? '')
  const chosen = useSignal<string | undefined>(undefined)
  const isToFail = useSignal(false)
  const { events = [], failing = [] } = offered.find(({ name }) => name === source.value) ?? {}
  const event = events.find((name) => name === chosen.value) ?? events[0] ?? ''
  const canFail = failing.includes(event)

  function submit(submission: SubmitEvent): void {
    submission.preventDefault()
    void send({ source: source.value, event, fails: canFail && isToFail.value })
  }

  return (
    <form class="form" onSubmit={submit}>
      <OneOf
        label="Provider"
        value={source.value}
        names={offered.map(({ name }) => name)}
        choose={(name) => (source.value = name)}
      />
      <OneOf label="Event" value={event} names={events} choose={(name) => (chosen.value = name)} />
      {canFail && (
        <label>
          <input type="checkbox" checked={isToFail} onChange={() => (isToFail.value = !isToFail.value)} /> Make it fail:
          another order has the transaction
        </label>
      )}
      <button type="submit" class="btn main-btn">
        {isSending.value ? 'Sending …' : 'Send'}
      </button>
    </form>
  )
}

interface OneOfProps {
  readonly label: string
  readonly value: string
  readonly names: readonly string[]
  readonly choose: (name: string) => void
}

function OneOf({ label, value, names, choose }: OneOfProps) {
  return (
    <Field scope="test" label={label} name={label.toLowerCase()}>
      {(id) => (
        <select id={id} value={value} onChange={({ currentTarget }) => choose(currentTarget.value)}>
          {names.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      )}
    </Field>
  )
}

function Result() {
  return (
    <>
      <Problem text={sendProblem.value} />
      <div role="status">
        <ul class="stack">
          {sent.value.map((webhook) => (
            <Sent key={webhook.request.eventId ?? webhook.request.body} webhook={webhook} />
          ))}
        </ul>
      </div>
    </>
  )
}

function Sent({ webhook }: { readonly webhook: SentWebhook }) {
  const { request, exchange } = webhook
  const { source, eventId } = request
  return (
    <li class="row flow" data-source={source}>
      <Badge tone={toneOf(webhook)}>{exchange.status}</Badge>
      <span class="wrap grow">
        {eventId === null ? `${source}, which sends no id` : <EventLink event={{ source, eventId }} />}
      </span>
      <span class="muted small num">{exchange.milliseconds} ms</span>
      <span class="muted small wrap">{wordingOf(webhook)}</span>
    </li>
  )
}

function toneOf(webhook: SentWebhook): Tone {
  if (!isAnsweredAsExpected(webhook)) return 'bad'
  return webhook.exchange.status < 400 ? 'ok' : 'wait'
}

/** Describes the service's answer. */
function wordingOf(webhook: SentWebhook): string {
  const { status, text } = webhook.exchange
  const said = problemIn(text) ?? text
  return isAnsweredAsExpected(webhook) ? said : `${status} instead of ${webhook.request.expected}: ${said}`
}
