import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { wordsOf } from '../ask.ts'
import { Button, type ButtonProps } from './button.tsx'
import { Dialog, DialogButton } from './dialog.tsx'
import { tell } from './toast.tsx'

interface ActionProps<Result> {
  /** What the button says. */
  readonly label: ComponentChildren
  readonly icon?: string
  readonly isDangerous?: boolean
  /** Of the button; by default it says whether the action is dangerous. */
  readonly class?: string
  /** What the dialog asks. */
  readonly title: string
  /** The verb that does it. */
  readonly action: string
  /** Fields, or what it means. */
  readonly children: ComponentChildren
  readonly run: (fields: FormData) => Promise<Result>
  /** What is said of it when it is done. */
  readonly said: string | ((result: Result) => string)
  readonly more?: string
  readonly done?: (result: Result) => unknown
}

/** A button for an action that asks first, and says when it is done. */
export function Action<Result>(props: ActionProps<Result>) {
  const { label, icon, isDangerous = false, title: question, action, children, run, said, more, done } = props

  async function submit(fields: FormData): Promise<void> {
    const result = await run(fields)
    const title = typeof said === 'string' ? said : said(result)
    tell({ tone: 'ok', title, ...(more !== undefined && { text: more }) })
    await done?.(result)
  }

  return (
    <DialogButton
      icon={icon}
      class={props.class ?? (isDangerous ? 'bad-btn' : '')}
      dialog={(close) => (
        <Dialog title={question} action={action} isDangerous={isDangerous} submit={submit} close={close}>
          {children}
        </Dialog>
      )}
    >
      {label} …
    </DialogButton>
  )
}

interface BusyButtonProps extends Omit<ButtonProps, 'onClick' | 'disabled'> {
  readonly run: () => Promise<unknown>
  /** What is said before the reason when it fails. */
  readonly failed?: string
}

/** A button that rests while its action runs, and says why that fails. */
export function BusyButton({ run, failed, ...button }: BusyButtonProps) {
  const isBusy = useSignal(false)

  async function act(): Promise<void> {
    isBusy.value = true
    try {
      await run()
    } catch (error) {
      const reason = wordsOf(error)
      tell(failed === undefined ? { tone: 'bad', title: reason } : { tone: 'bad', title: failed, text: reason })
    } finally {
      isBusy.value = false
    }
  }

  return <Button {...button} disabled={isBusy.value} onClick={act} />
}
