import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { wordsOf } from '../ask.ts'
import { Modal } from './modal.tsx'

interface DialogProps {
  readonly title: string
  /** The verb on the button that does it; none if the dialog only shows something. */
  readonly action?: string
  readonly isDangerous?: boolean
  readonly children?: ComponentChildren
  /** Gets the fields. The dialog stays open if this throws a `CallRefused`, whose message it shows, or says `stay`. */
  readonly submit?: (fields: FormData) => Promise<'stay' | undefined>
  readonly close: () => void
}

/** A form that asks before something is done. */
export function Dialog({ title, action, isDangerous = false, children, submit, close }: DialogProps) {
  const problem = useSignal<string | undefined>(undefined)
  const isBusy = useSignal(false)

  async function finish(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    isBusy.value = true
    try {
      const wish = await submit?.(new FormData(event.currentTarget as HTMLFormElement))
      problem.value = undefined
      if (wish !== 'stay') close()
    } catch (error) {
      problem.value = wordsOf(error)
    } finally {
      isBusy.value = false
    }
  }

  return (
    <Modal title={title} close={close}>
      <form class="form" onSubmit={(event) => void finish(event)}>
        {children}
        {problem.value !== undefined && (
          <p class="note small" data-tone="bad" role="alert">
            {problem.value}
          </p>
        )}
        <p class="row">
          {action !== undefined && (
            <button type="submit" class={isDangerous ? 'btn bad-btn' : 'btn main-btn'} disabled={isBusy.value}>
              {action}
            </button>
          )}
          <button type="button" class="btn" onClick={close}>
            {action === undefined ? 'Close' : 'Cancel'}
          </button>
        </p>
      </form>
    </Modal>
  )
}

interface FormFieldProps {
  readonly label: string
  readonly name: string
  readonly hint?: string
  readonly children: ComponentChildren
}

/** A labeled field of a form; the control is the child and has the id `field-<name>`. */
export function FormField({ label, name, hint, children }: FormFieldProps) {
  return (
    <>
      <label for={`field-${name}`}>{label}</label>
      <div class="field">{children}</div>
      {hint !== undefined && <p class="small muted">{hint}</p>}
    </>
  )
}
