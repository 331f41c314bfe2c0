import { render } from 'preact'
import { LiveTime } from '../components/live-time.tsx'

for (const element of document.querySelectorAll<HTMLElement>('[data-live-time]')) {
  const at = new Date(element.dataset['liveTime'] ?? '')
  element.replaceChildren()
  render(<LiveTime at={at} />, element)
}
