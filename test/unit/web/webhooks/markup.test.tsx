import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { EventHistory } from '../../../../web/webhooks/event-history.tsx'
import { Payload } from '../../../../web/webhooks/payload.tsx'
import type { EventDetail } from '../../../../web/webhooks/record.ts'
import { record } from './records.ts'

const MARKUP = '</pre></span><script>alert(1)</script><img src=x onerror="alert(2)">'

function detailOf(payload: string): EventDetail {
  const move = { at: '2026-01-02T03:04:05.000', status: 'FAILED', by: MARKUP, error: MARKUP } as const
  return {
    ...record({ errorMessage: MARKUP }),
    payload,
    payloadEncoding: 'utf8',
    payloadTruncated: false,
    payloadBytes: 2,
    payloadDeletedAt: null,
    headers: {},
    history: [move],
    items: [],
  }
}

describe('C02 markup that somebody sent is shown as text', () => {
  it.each([
    ['a payload that is no JSON', () => <Payload event={detailOf(MARKUP)} />],
    ['a payload that is JSON', () => <Payload event={detailOf(JSON.stringify({ [MARKUP]: MARKUP }))} />],
    ['the history of an event', () => <EventHistory event={detailOf('')} />],
  ])('in %s', (_, view) => {
    const html = renderToString(view())
    expect(html).toContain('alert(1)')
    expect(html).not.toMatch(/<script|<img/)
  })
})
