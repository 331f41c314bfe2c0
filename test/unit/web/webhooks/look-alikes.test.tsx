import { renderToString } from 'preact-render-to-string'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { EventRecord } from '../../../../web/webhooks/record.ts'
import { record } from './records.ts'

/** The module, as a page at this address loads it. */
async function load() {
  vi.resetModules()
  vi.stubGlobal('location', { pathname: '/console/webhooks', search: '?status=PROCESSED' })
  vi.stubGlobal('document', { getElementById: () => ({ textContent: '{"demoUsers":[]}' }) })
  return import('../../../../web/webhooks/look-alikes.tsx')
}

let views: Awaited<ReturnType<typeof load>>
beforeAll(async () => {
  views = await load()
})

const rows = (changes: Partial<EventRecord>) =>
  renderToString(<views.LookAlikes event={record({ source: 'shopify', ...changes })} />)
const marks = (changes: Partial<EventRecord>) => renderToString(<views.LookAlikeMarks {...record(changes)} />)

const IN_CONFLICT = { idConflict: { count: 1, lastAt: '2026-01-02T03:04:05.000' } }

describe('an event that looks like another', () => {
  it('links to it, beside the list that is open', () => {
    const page = rows({ possibleDuplicateOf: 'a/b "c"' })
    expect(page).toContain('<dt>Looks like</dt><dd>Possible duplicate of <a ')
    expect(page).toContain('href="/console/webhooks?status=PROCESSED&amp;event=shopify%2Fa%2Fb+%22c%22"')
    expect(page).toContain('a/b &quot;c&quot;</a>')
  })

  it.each([
    [1, 'once at least'],
    [3, '3 times at least'],
  ])('says that another content had its id: %i', (count, words) => {
    const page = rows({ idConflict: { ...IN_CONFLICT.idConflict, count } })
    expect(page).toContain(`Another content has the same id: ${words}, last <span><time datetime="2026-01-02T03:04:05`)
  })

  it.each([
    ['a possible duplicate', { possibleDuplicateOf: 'a' }, [true, false]],
    ['an id conflict', IN_CONFLICT, [false, true]],
    ['both', { possibleDuplicateOf: 'a', ...IN_CONFLICT }, [true, true]],
    ['neither', {}, [false, false]],
  ])('has a mark in the list for %s', (_, changes, expected) => {
    const line = marks(changes)
    expect([line.includes('possible duplicate'), line.includes('id conflict')]).toEqual(expected)
  })

  it('has no row for what it does not look like', () => {
    expect(rows({})).toBe('')
  })
})
