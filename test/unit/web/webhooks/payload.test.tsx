import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { Payload } from '../../../../web/webhooks/payload.tsx'
import { record } from './records.ts'

function html(changes: object): string {
  const event = { ...record({ source: 'demo', eventId: 'a/b "c"' }), headers: {}, history: [], items: [] }
  const shown = {
    payload: '{"a":1}',
    payloadEncoding: 'utf8',
    payloadTruncated: false,
    payloadBytes: 2,
    payloadDeletedAt: null,
  } as const
  return renderToString(<Payload event={{ ...event, ...shown, ...changes }} />)
}

const LINK = 'href="/api/webhooks/events/demo/a%2Fb%20%22c%22/payload" download'

describe('the payload of an event', () => {
  it('is shown, copied and downloaded', () => {
    const page = html({})
    expect(page).toContain(LINK)
    expect(page).toContain('Copy')
    expect(page).not.toContain('256 KiB')
  })

  it('that is not all of it says so, and is not copied for the whole', () => {
    const page = html({ payload: '{"a":1,"b', payloadTruncated: true })
    expect(page).toContain('These are the first 256 KiB; the download has all of it.')
    expect(page).toContain(LINK)
    expect(page).toContain('{&quot;a&quot;:1,&quot;b')
    expect(page).not.toContain('Copy')
  })

  it('that was deleted is no payload: it says when that was', () => {
    const page = html({ payload: null, payloadDeletedAt: '2026-11-23T07:00:00.000' })
    expect(page).toContain('The payload was deleted on 2026-11-23.')
    expect(page).not.toContain(LINK)
  })
})
