import { render } from 'preact'
import { CopyButton } from './ui/copy-button.tsx'

/** Adds a copy button to every command that the server rendered with `data-copy`, which names the command. */
export function addCopyButtons(): void {
  for (const command of document.querySelectorAll<HTMLElement>('[data-copy]')) {
    const place = document.createElement('span')
    command.after(place)
    render(<CopyButton text={command.textContent} of={command.dataset['copy'] ?? ''} />, place)
  }
}
