import { useSignal } from '@preact/signals'
import type { TriedOperation } from '../../lib/contract/console.ts'
import { Icon } from '../ui/icon.tsx'
import type * as Panel from './try-it.tsx'

/** Opens the form that calls an operation; its script is loaded by then. */
export function TryButton({ operation }: { readonly operation: TriedOperation }) {
  const isOpen = useSignal(false)
  const panel = useSignal<typeof Panel | undefined>(undefined)
  const { id, method, path } = operation
  const Content = panel.value?.TryIt

  async function toggle(): Promise<void> {
    isOpen.value = !isOpen.value
    panel.value ??= await import('./try-it.tsx')
  }

  return (
    <>
      <button
        type="button"
        class="btn"
        aria-expanded={isOpen.value}
        aria-label={`Try it: ${method} ${path}`}
        onClick={() => void toggle()}
      >
        <Icon name="send" />
        Try it
      </button>
      {isOpen.value && Content && (
        <section class="card stack try" id={`try-${id}`} aria-label={`Try ${method} ${path}`}>
          <Content operation={operation} />
        </section>
      )}
    </>
  )
}
