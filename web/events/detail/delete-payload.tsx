import { useSignal } from '@preact/signals'
import { Dialog } from '../../ui/dialog.tsx'
import { tell } from '../../ui/toast.tsx'
import type { EventDetail } from '../record.ts'
import { removePayload } from './calls.ts'

interface DeletePayloadProps {
  readonly event: EventDetail
  readonly reread: () => Promise<void>
}

/** Deletes the payload of an event, after it has said what that ends. */
export function DeletePayload({ event, reread }: DeletePayloadProps) {
  const isOpen = useSignal(false)

  async function remove(fields: FormData): Promise<undefined> {
    await removePayload(event, fields.has('force'))
    tell({ tone: 'ok', title: 'The payload is deleted', text: event.eventId })
    await reread()
  }

  return (
    <>
      <button type="button" class="btn bad-btn" onClick={() => (isOpen.value = true)}>
        Delete payload …
      </button>
      {isOpen.value && (
        <Dialog
          title="Delete the payload?"
          action="Delete payload"
          isDangerous
          submit={remove}
          close={() => (isOpen.value = false)}
        >
          <p>
            The body and the headers are deleted for good. The event and its history stay, so a copy of it is still
            recognized as a duplicate. The event cannot be retried or delivered again.
          </p>
          <label class="row">
            <input type="checkbox" name="force" />
            Also end attempts and deliveries that still need it
          </label>
        </Dialog>
      )}
    </>
  )
}
