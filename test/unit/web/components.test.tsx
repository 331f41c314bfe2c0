import { renderToString } from 'preact-render-to-string'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'

const FACTS = { icons: '/assets/icons.svg', demoUsers: [] }

beforeEach(() => {
  vi.resetModules()
  vi.stubGlobal('document', { getElementById: () => ({ textContent: JSON.stringify(FACTS) }) })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

it('a copy button names the text that it copies', async () => {
  const { CopyButton } = await import('../../../web/ui/copy-button.tsx')
  const html = renderToString(<CopyButton text="curl" of="JWT" />)
  expect(html).toMatch(/^<button type="button" class="btn" title="Copy JWT">/)
  expect(html).toContain('<use href="/assets/icons.svg#copy"></use>')
  expect(html).toContain('<span aria-live="polite">Copy</span><span class="hide"> JWT</span></button>')
})

it('a time is shown in full, with its distance from now, and with UTC in the tooltip', async () => {
  vi.useFakeTimers({ now: new Date('2026-01-02T03:04:05Z') })
  const { LiveTime } = await import('../../../web/ui/times.tsx')
  const html = renderToString(<LiveTime at={new Date('2026-01-02T03:05:05Z')} />)
  expect(html).toContain('datetime="2026-01-02T03:05:05.000Z" title="2026-01-02T03:05:05.000Z"')
  expect(html).toContain('<span class="muted">in 1 minute</span>')
})

it('the latest events are named by their type, in which no text can change the direction', async () => {
  const { LatestEvents } = await import('../../../web/home.tsx')
  const event = {
    source: 'stripe',
    eventId: 'evt_1',
    eventType: 'a\u202eb',
    status: 'FAILED',
    nextRetryAt: null,
  } as const
  const html = renderToString(
    <LatestEvents events={[{ ...event, outcome: null, receivedAt: '2026-01-02T03:04:05.000' }]} />,
  )
  expect(html).toContain('<bdi>a<span class="chip code-point">U+202E</span>b</bdi>')
  expect(html).toContain('data-tone="bad"')
})
