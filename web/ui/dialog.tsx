import { useSignal } from '@preact/signals'
import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { isSessionOver, wordsOf } from '../ask.ts'
import { Button, type ButtonProps } from './button.tsx'
import { Problem } from './text.tsx'

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
        <Button icon="x" class="bare" label="Close" onClick={() => dialog.current?.close()} />
      </header>
      {children}
    </dialog>
  )
}

interface DialogProps {
  readonly title: string
  /** The verb on the button that does it; none if the dialog only shows something. */
  readonly action?: string | undefined
  readonly isDangerous?: boolean
  readonly children?: ComponentChildren
  /** Gets the fields. The dialog stays open if this throws a `CallRefused`, whose message it shows, or says `stay`. */
  readonly submit?: (fields: FormData) => Promise<unknown>
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
      const result = await submit?.(new FormData(event.currentTarget as HTMLFormElement))
      problem.value = undefined
      if (result !== 'stay') close()
    } catch (error) {
      const words = wordsOf(error)
      problem.value = isSessionOver.value ? 'Your session has ended. Close this, and log in again.' : words
    } finally {
      isBusy.value = false
    }
  }

  return (
    <Modal title={title} close={close}>
      <form class="form" onSubmit={(event) => void finish(event)}>
        {children}
        <Problem class="small" text={problem.value} />
        <p class="row">
          {action !== undefined && (
            <button type="submit" class={isDangerous ? 'btn bad-btn' : 'btn main-btn'} disabled={isBusy.value}>
              {action}
            </button>
          )}
          <Button onClick={close}>{action === undefined ? 'Close' : 'Cancel'}</Button>
        </p>
      </form>
    </Modal>
  )
}

interface DialogButtonProps extends Omit<ButtonProps, 'onClick'> {
  readonly dialog: (close: () => void) => ComponentChildren
}

/** A button and the dialog that it opens. */
export function DialogButton({ dialog, ...button }: DialogButtonProps) {
  const isOpen = useSignal(false)
  return (
    <>
      <Button {...button} onClick={() => (isOpen.value = true)} />
      {isOpen.value && dialog(() => (isOpen.value = false))}
    </>
  )
}

/** Attributes of an input. */
interface InputProps {
  readonly type?: 'text' | 'password' | 'number' | 'datetime-local'
  readonly required?: boolean
  readonly value?: string
  readonly defaultValue?: number | string | undefined
  readonly minLength?: number
  readonly maxLength?: number
  readonly min?: number
  readonly max?: number
  readonly step?: number
  readonly pattern?: string
  readonly autocomplete?: 'off' | 'username' | 'new-password' | 'current-password'
  readonly autocapitalize?: 'none'
  readonly spellcheck?: boolean
}

interface FieldProps extends InputProps {
  readonly label: string
  readonly name: string
  readonly hint?: string
  /** Before the name in the id: a page may have the same form several times. */
  readonly scope?: string
  /** In the place of an input: the control, which takes the id. */
  readonly children?: (id: string) => ComponentChildren
}

/** A labeled field of a form. */
export function Field({ label, name, hint, scope = 'field', children, ...input }: FieldProps) {
  const id = `${scope}-${name}`
  return (
    <>
      <label for={id}>{label}</label>
      <div class="field">
        {children ? children(id) : <input {...(input as InputHTMLAttributes<HTMLInputElement>)} id={id} name={name} />}
      </div>
      {hint !== undefined && <p class="small muted">{hint}</p>}
    </>
  )
}

export function NewPassword(field: Pick<FieldProps, 'label' | 'name'>) {
  const hint = 'At least 8 characters, and not a common one.'
  return <Field {...field} hint={hint} type="password" required minLength={8} autocomplete="new-password" />
}

/** A text of a form, without the blanks around it. */
export function textIn(fields: FormData, name: string): string {
  return String(fields.get(name) ?? '').trim()
}
