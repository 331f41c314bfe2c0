import { describe, expect, it } from 'vitest'
import { TRAIL_ACTIONS, TRAIL_OUTCOMES, trailQuery } from '../../../lib/contract/requests/trail.ts'
import { readInput } from '../../../lib/http/middleware/validate.ts'
import { query } from '../../../lib/http/query.ts'
import { httpEvent } from '../../support/fakes/http.ts'

const read = async (rawQueryString: string) => readInput(query(trailQuery), httpEvent({ rawQueryString }))

const USUAL = { reads: false, limit: 50 }

describe('the filter of the audit trail', () => {
  it.each<[string, object]>([
    ['actor=Ada&target=shop%2F1', { actor: 'Ada', target: 'shop/1' }],
    ['actor=&q=', {}],
    ['action=user.created&action=key.deleted', { action: ['user.created', 'key.deleted'] }],
    [TRAIL_ACTIONS.map((action) => `action=${action}`).join('&'), { action: TRAIL_ACTIONS }],
    [TRAIL_OUTCOMES.map((outcome) => `outcome=${outcome}`).join('&'), { outcome: TRAIL_OUTCOMES }],
    ['reads=true', { reads: true }],
    ['limit=200&cursor=x', { limit: 200, cursor: 'x' }],
    ['q=%C3%A4', { q: 'ä' }],
  ])('may be “%s”', async (text, expected) => {
    expect(await read(text)).toEqual({ ...USUAL, ...expected })
  })

  it('may be a span of time', async () => {
    const { from, to } = await read('from=2026-01-02T03:04:05&to=2026-01-02T03:04:05')
    expect([from, to]).toEqual([expect.any(Date), from])
  })

  it.each([
    ['actor=a&actor=b', 'actor'],
    [`actor=${'x'.repeat(257)}`, 'actor'],
    ['target=%0A', 'target'],
    ['action=user.created&action=x', 'action'],
    ['outcome=DONE', 'outcome'],
    ['reads=yes', 'reads'],
    ['limit=201', 'limit'],
    [`cursor=${'x'.repeat(4097)}`, 'cursor'],
    ['from=yesterday', 'from'],
    ['from=2026-01-02T03:04:06&to=2026-01-02T03:04:05', 'to'],
    ['user=a', 'user'],
  ])('A12 is refused if it is “%s”', async (text, field) => {
    await expect(read(text)).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { validationErrors: [{ field }] },
    })
  })
})
