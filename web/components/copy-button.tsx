import { useSignal } from '@preact/signals'

const LABELS = { ready: 'Copy', copied: 'Copied', refused: 'Not copied' } as const

/** Puts a text on the clipboard. `of` says what it is to those who do not see where the button stands. */
export function CopyButton({ text, of }: { readonly text: string; readonly of: string }) {
  const state = useSignal<keyof typeof LABELS>('ready')

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text)
      state.value = 'copied'
    } catch {
      state.value = 'refused'
    }
  }

  return (
    <button type="button" class="quiet" onClick={() => void copy()}>
      <span aria-live="polite">{LABELS[state.value]}</span>
      <span class="visually-hidden"> {of}</span>
    </button>
  )
}
