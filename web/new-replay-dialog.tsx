import { useSignal } from '@preact/signals'
import { orderReplay } from './events/calls.ts'
import { Dialog, Field, textIn } from './ui/dialog.tsx'
import { fromLocalInput, parseTime, toLocalInput } from './ui/times.tsx'
import { tell } from './ui/toast.tsx'

interface NewReplayDialogProps {
  /** Where events are delivered again; undefined runs failed events again. */
  readonly destination?: string
  /** What the fields begin with, by their names; times in UTC. */
  readonly initial?: Readonly<Record<string, string>>
  readonly close: () => void
  readonly done: () => Promise<void>
}

/** Counts the matching events first, and starts the replay when one confirms. */
export function NewReplayDialog({ destination, initial = {}, close, done }: NewReplayDialogProps) {
  const counted = useSignal<{ readonly order: string; readonly matched: number } | undefined>(undefined)

  async function submit(fields: FormData): Promise<'stay' | undefined> {
    const order = orderOf(fields, destination)
    if (counted.peek()?.order !== JSON.stringify(order)) {
      const { matched } = await orderReplay<{ matched: number }>({
        ...order,
        replayId: crypto.randomUUID(),
        dryRun: true,
      })
      counted.value = { order: JSON.stringify(order), matched }
      return 'stay'
    }
    await orderReplay({ ...order, replayId: crypto.randomUUID() })
    tell({ tone: 'run', title: 'The replay has started', text: 'Its progress is on the page of replays.' })
    await done()
    return undefined
  }

  const title = destination === undefined ? 'Retry failed events' : `Deliver past events to ${destination} again`
  return (
    <Dialog
      title={title}
      action={counted.value === undefined ? 'Count' : `Start with ${counted.value.matched}`}
      submit={submit}
      close={close}
    >
      <Field label="Source (empty: all)" name="source" spellcheck={false} defaultValue={initial['source']} />
      <Field label="Type (empty: all)" name="type" spellcheck={false} defaultValue={initial['type']} />
      <TimeField label="Received from (local time)" name="from" at={initial['from']} />
      <TimeField label="Received before (local time)" name="to" at={initial['to']} />
      {destination === undefined && (
        <>
          <Field label="Part of the id or the error (empty: any)" name="q" defaultValue={initial['q']} />
          <label class="row">
            <input type="checkbox" name="dead" defaultChecked={initial['dead'] === 'true'} />
            Only those without a remaining retry
          </label>
        </>
      )}
      {destination !== undefined && (
        <Field label="Which of them" name="delivery">
          {(id) => (
            <select id={id} name="delivery" defaultValue={initial['state']}>
              <option value="DEAD">Only those whose delivery is dead</option>
              <option value="PARKED">Only those that wait while it is disabled</option>
              <option value="">All that it subscribes to, also those that arrived</option>
            </select>
          )}
        </Field>
      )}
      <Field label="Events a second" name="rate" type="number" min={1} max={1000} defaultValue={10} required />
      <Field label="Reason (optional)" name="reason" maxLength={256} />
      <p role="status" class="small">
        {counted.value &&
          `${counted.value.matched === 1 ? '1 event matches' : `${counted.value.matched} events match`}. A change of the fields counts again.`}
      </p>
    </Dialog>
  )
}

/** @param at in UTC */
function TimeField({
  at,
  ...field
}: {
  readonly label: string
  readonly name: string
  readonly at: string | undefined
}) {
  return <Field {...field} type="datetime-local" step={1} defaultValue={at && toLocalInput(parseTime(at), 'seconds')} />
}

/** The order without its id; times go out in UTC. */
function orderOf(fields: FormData, destination: string | undefined): object {
  const text = (name: string) => textIn(fields, name)
  const time = (name: string) => fromLocalInput(text(name)).slice(0, -1)
  const texts = { source: text('source'), type: text('type'), q: text('q') }
  const given = Object.entries({ ...texts, from: time('from'), to: time('to') })
  const delivery = text('delivery') === '' ? {} : { delivery: [text('delivery')] }
  return {
    ...(destination !== undefined && { destination }),
    filter: {
      ...Object.fromEntries(given.filter(([, value]) => value !== '')),
      ...delivery,
      ...(fields.has('dead') && { dead: true }),
    },
    ...(text('reason') !== '' && { reason: text('reason') }),
    ratePerSecond: Number(text('rate')),
  }
}
