import { useSignal } from '@preact/signals'
import type { LocalSender } from '../../lib/contract/console.ts'
import { ExchangeView } from '../components/exchange-view.tsx'
import { isLocal } from '../facts.ts'
import { problemIn } from '../problem.ts'
import { EventLink } from './event-link.tsx'
import {
  deliveries,
  findSenders,
  isAnsweredAsExpected,
  isSending,
  localSenders,
  type SentWebhook,
  send,
  sendProblem,
} from './test-events.ts'

/** Sends webhooks that the local run signs; a deployed service does not sign webhooks. */
export function TestEventCard() {
  if (!isLocal) return null
  return (
    <details class="card" onToggle={() => void findSenders()}>
      <summary>Send a test event</summary>
      <div class="test-event">
        <Offer />
        <Result />
      </div>
    </details>
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
    <form onSubmit={submit}>
      <div class="field">
        <label for="test-source">Provider</label>
        <select
          id="test-source"
          value={source.value}
          onChange={({ currentTarget }) => (source.value = currentTarget.value)}
        >
          {offered.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="test-event">Event</label>
        <select id="test-event" value={event} onChange={({ currentTarget }) => (chosen.value = currentTarget.value)}>
          {events.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </div>
      {canFail && (
        <label class="wish">
          <input type="checkbox" checked={isToFail} onChange={() => (isToFail.value = !isToFail.value)} /> Let it fail
          <span class="muted"> – another order had the same transaction before</span>
        </label>
      )}
      <button type="submit">{isSending.value ? 'Sending …' : 'Send'}</button>
    </form>
  )
}

function Result() {
  return (
    <>
      {sendProblem.value !== undefined && (
        <p class="notice" data-tone="bad" role="alert">
          {sendProblem}
        </p>
      )}
      <p class="visually-hidden" role="status">
        {deliveries.value.map(wordingOf).join(' ')}
      </p>
      {deliveries.value.length > 0 && (
        <ul class="deliveries">
          {deliveries.value.map((delivery) => (
            <DeliveryRow key={delivery.request.eventId ?? delivery.request.body} delivery={delivery} />
          ))}
        </ul>
      )}
    </>
  )
}

function DeliveryRow({ delivery }: { readonly delivery: SentWebhook }) {
  const { request, exchange } = delivery
  const { source, eventId } = request
  return (
    <li class="delivery" data-source={source}>
      <span class="badge" data-tone={toneOf(delivery)}>
        {exchange.status}
      </span>
      {eventId === null ? <span>{source}, which sends no id</span> : <EventLink event={{ source, eventId }} />}
      <span class="muted">
        {wordingOf(delivery)} · {exchange.milliseconds} ms
      </span>
      <details>
        <summary>Request and answer</summary>
        <ExchangeView exchange={exchange} />
      </details>
    </li>
  )
}

function toneOf(delivery: SentWebhook): 'good' | 'warn' | 'bad' {
  if (!isAnsweredAsExpected(delivery)) return 'bad'
  return delivery.exchange.status < 400 ? 'good' : 'warn'
}

/** Describes the service's answer. */
function wordingOf(delivery: SentWebhook): string {
  const { status, text } = delivery.exchange
  const said = problemIn(text) ?? text
  return isAnsweredAsExpected(delivery) ? said : `${status} came for ${delivery.request.expected}: ${said}`
}
