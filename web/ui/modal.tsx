import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

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
