import { useSignal } from '@preact/signals'
import { ask, type Response, wordsOf } from '../ask.ts'
import { recordTime } from '../events/record.ts'
import { NewReplayDialog } from '../replays/new-replay-dialog.tsx'
import { Badge } from '../ui/badge.tsx'
import { Dialog, FormField } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Pane, Part } from '../ui/pane.tsx'
import { Facts } from '../ui/text.tsx'
import { LiveTime } from '../ui/times.tsx'
import { tell } from '../ui/toast.tsx'
import { KINDS, type ListedDestination, lookOf } from './states.ts'

interface DestinationPaneProps {
  readonly destination: ListedDestination
  readonly reread: () => Promise<void>
  readonly close: () => void
}

/** What an admin may do here; both ask for a reason. */
const ORDERS = {
  enable: { title: 'Enable', note: 'Deliveries that wait go out at once.' },
  disable: { title: 'Disable', note: 'No delivery goes out until the destination is enabled. None is lost.' },
} as const

type Order = keyof typeof ORDERS

export function DestinationPane({ destination, reread, close }: DestinationPaneProps) {
  const asked = useSignal<Order | 'replay' | undefined>(undefined)
  const { name, to, target, state, waiting, failures, reason, by } = destination
  const { label, tone, icon = tone, meaning } = lookOf(destination)
  const order: Order = state === 'DISABLED' ? 'enable' : 'disable'

  async function change(fields: FormData): Promise<undefined> {
    const text = String(fields.get('reason'))
    const body = text === '' ? {} : { reason: text }
    await ask(`/api/destinations/${encodeURIComponent(name)}/${order}`, { method: 'POST', body })
    tell({ tone: 'ok', title: `${name} is ${order}d` })
    await reread()
    return undefined
  }

  return (
    <Pane
      title={
        <>
          {name}{' '}
          <Badge tone={tone} icon={icon} isSolid>
            {label}
          </Badge>
        </>
      }
      note={`${KINDS[to]} · ${target}`}
      close={close}
    >
      <div class="note" data-tone={tone}>
        <p>{meaning}</p>
        {reason !== null && <p class="small wrap">{by === null ? reason : `${by}: ${reason}`}</p>}
      </div>
      <div class="row flow">
        <TestButton name={name} done={reread} />
        <button type="button" class="btn" onClick={() => (asked.value = order)}>
          <Icon name={order === 'enable' ? 'play' : 'pause'} />
          {ORDERS[order].title} …
        </button>
        <button type="button" class="btn" onClick={() => (asked.value = 'replay')}>
          <Icon name="retry" />
          Deliver past events again …
        </button>
      </div>
      <Part title="Deliveries">
        <Facts
          rows={[
            ['Waiting', waiting.toLocaleString('en')],
            ['Oldest', timeOf(destination.oldestAt)],
            ['Failures in a row', failures],
            ['Last answer', destination.lastAnswer && <code>{destination.lastAnswer}</code>],
            ['Answered', timeOf(destination.lastAnswerAt)],
            [`${label} since`, timeOf(destination.since)],
          ]}
        />
      </Part>
      {asked.value === 'replay' && (
        <NewReplayDialog destination={name} close={() => (asked.value = undefined)} done={reread} />
      )}
      {(asked.value === 'enable' || asked.value === 'disable') && (
        <Dialog
          title={`${ORDERS[asked.value].title} ${name}?`}
          action={ORDERS[asked.value].title}
          submit={change}
          close={() => (asked.value = undefined)}
        >
          <p class="small muted">{ORDERS[asked.value].note}</p>
          <FormField label="Reason (optional)" name="reason">
            <input id="field-reason" name="reason" maxLength={256} />
          </FormField>
        </Dialog>
      )}
    </Pane>
  )
}

function timeOf(at: string | null) {
  return at && <LiveTime at={recordTime(at)} />
}

/** Sends a test event, and says what came back. */
function TestButton({ name, done }: { readonly name: string; readonly done: () => Promise<void> }) {
  const isBusy = useSignal(false)

  async function test(): Promise<void> {
    isBusy.value = true
    try {
      const path = `/api/destinations/${encodeURIComponent(name)}/test`
      const { delivered, answer, durationMs } = await ask<Response<'destinationTest'>>(path, { method: 'POST' })
      tell({
        tone: delivered ? 'ok' : 'bad',
        title: delivered ? `${name} took the test event` : `${name} did not take the test event`,
        text: `${answer} after ${durationMs} ms`,
      })
      await done()
    } catch (error) {
      tell({ tone: 'bad', title: wordsOf(error) })
    } finally {
      isBusy.value = false
    }
  }

  return (
    <button type="button" class="btn main-btn" disabled={isBusy.value} onClick={() => void test()}>
      <Icon name="send" />
      Send a test event
    </button>
  )
}
