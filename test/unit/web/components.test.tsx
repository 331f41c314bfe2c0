import { renderToString } from 'preact-render-to-string'
import { afterEach, expect, it, vi } from 'vitest'
import { CopyButton } from '../../../web/components/copy-button.tsx'
import { LiveTime } from '../../../web/components/live-time.tsx'

afterEach(() => void vi.useRealTimers())

it('a button that copies says what it copies', () => {
  expect(renderToString(<CopyButton text="curl" of="JWT" />)).toBe(
    '<button type="button" class="quiet"><span aria-live="polite">Copy</span><span class="visually-hidden"> JWT</span></button>',
  )
})

it('a time is shown in full, and how far away it is', () => {
  vi.useFakeTimers({ now: new Date('2026-01-02T03:04:05Z') })
  expect(renderToString(<LiveTime at={new Date('2026-01-02T03:05:05Z')} />)).toBe(
    '<span><time datetime="2026-01-02T03:05:05.000Z">2026-01-02T03:05:05.000Z</time> <span class="muted">(in 1 minute)</span></span>',
  )
})
