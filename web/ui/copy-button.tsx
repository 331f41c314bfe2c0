import { useSignal } from '@preact/signals'
import { Icon } from './icon.tsx'

const LABELS = { ready: 'Copy', copied: 'Copied', refused: 'Not copied' } as const
const ICONS = { ready: 'copy', copied: 'ok', refused: 'bad' } as const

interface CopyButtonProps {
  /** A function is asked on each click, for a text that is long. */
  readonly text: string | (() => string)
  /** Names the text for those who do not see where the button stands. */
  readonly of: string
  /** Without the word, where there is no room for it. */
  readonly isBare?: boolean
  /** With the name beside the word. */
  readonly isNamed?: boolean
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, of, isBare = false, isNamed = false }: CopyButtonProps) {
  const state = useSignal<keyof typeof LABELS>('ready')

  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      state.value = 'copied'
    } catch {
      state.value = 'refused'
    }
  }

  return (
    <button
      type="button"
      class={isBare || isNamed ? 'btn bare' : 'btn'}
      title={`Copy ${of}`}
      onClick={() => void copy()}
    >
      <Icon name={ICONS[state.value]} />
      <span aria-live="polite" class={isBare ? 'hide' : undefined}>
        {LABELS[state.value]}
      </span>
      <span class={isNamed ? undefined : 'hide'}> {of}</span>
    </button>
  )
}
