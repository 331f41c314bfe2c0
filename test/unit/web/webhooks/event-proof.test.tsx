import { renderToString } from 'preact-render-to-string'
import { describe, expect, it } from 'vitest'
import { EventProof } from '../../../../web/webhooks/event-proof.tsx'
import type { EventRecord } from '../../../../web/webhooks/record.ts'

type Proof = EventRecord['proof']

const html = (proof: Proof) => renderToString(<EventProof proof={proof} />)

describe('the proof of an event', () => {
  it.each<[Proof['level'], string]>([
    ['full', '<strong>Full.</strong> The body, its id if it has one, and the time of sending are signed.'],
    ['body', '<strong>Body.</strong> The body is signed; its id or the time of sending is not.'],
    ['fields', '<strong>Fields.</strong> Some fields are signed; anybody can change the rest.'],
    ['checksum', '<strong>Checksum.</strong> A checksum of the body is signed; anybody can make another body'],
    ['token', '<strong>Token.</strong> A secret came with the call; nothing in it is signed.'],
    ['none', '<strong>None.</strong> Nothing is proven about who sent it.'],
  ])('%s is told in plain words', (level, words) => {
    expect(html({ level, key: null, signedAt: null })).toContain(words)
  })

  it('names the secret that fitted and the signed time', () => {
    const page = html({ level: 'full', key: 'stripe 2027', signedAt: '2026-01-02T03:04:05.000Z' })
    expect(page).toContain('<dt>Key</dt><dd class="mono">stripe 2027</dd>')
    expect(page).toContain('<dt>Signed</dt><dd><span><time datetime="2026-01-02T03:04:05.000Z">')
    expect(page).not.toContain('Came late')
  })

  it('names neither where there is none', () => {
    expect(html({ level: 'none', key: null, signedAt: null })).not.toMatch(/Key|Signed/)
  })

  it('says that a call came late', () => {
    const page = html({ level: 'full', key: 'zoom#1', signedAt: '2026-01-02T03:04:05.000Z', stale: true })
    expect(page).toContain('Came late</span> It was older than a signed call may be, and new.')
  })
})
