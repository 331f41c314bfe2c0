import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { wordsOf } from '../ask.ts'
import { Icon } from './icon.tsx'

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

interface ModalProps {
  readonly title: string
  readonly close: () => void
  readonly children: ComponentChildren
}

/** Asks or shows something before all else; Escape closes it, and the focus goes back to where it was. */
export function Modal({ title, close, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog class="card" ref={dialog} aria-labelledby={heading} onClose={close}>
      <header class="row">
        <h2 id={heading} class="grow">
          {title}
        </h2>
        <button type="button" class="btn bare" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Icon name="x" />
        </button>
      </header>
      {children}
    </dialog>
  )
}
