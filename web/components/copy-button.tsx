import { useSignal } from '@preact/signals'

const LABELS = { ready: 'Copy', copied: 'Copied', refused: 'Not copied' } as const

/** Copies a text to the clipboard. `of` names the text for users who cannot see the button's place. */
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
