import { renderToString } from 'preact-render-to-string'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { scaleOf } from '../../../../web/ui/time-scale.tsx'

const FROM = new Date('2026-01-02T03:00:00Z')
const later = (minutes: number) => new Date(FROM.getTime() + minutes * 60_000)

describe('a time scale', () => {
  it('gives equal times equal lengths', () => {
    const { placeOf } = scaleOf({ from: FROM, times: [], ticks: [0, 5, 15, 60] })
    expect([0, 15, 30, 45, 60].map((minutes) => placeOf(later(minutes)))).toEqual([20, 150, 280, 410, 540])
  })

  it('extends to the latest time after its last label', () => {
    const { placeOf } = scaleOf({ from: FROM, times: [later(120)], ticks: [0, 60] })
    expect([placeOf(later(60)), placeOf(later(120))]).toEqual([280, 540])
  })

  it('omits overlapping labels', () => {
    const labels = (last: number) =>
      scaleOf({ from: FROM, times: [later(last)], ticks: [0, 5, 15, 60] }).ticks.map(({ minutes }) => minutes)
    expect(labels(60)).toEqual([0, 5, 15, 60])
    expect(labels(600)).toEqual([0, 60])
    expect(labels(60_000)).toEqual([0])
  })
})

describe('the drawing of it', () => {
  let views: typeof import('../../../../web/ui/time-scale.tsx')
  beforeAll(async () => {
    vi.stubGlobal('document', { getElementById: () => ({ textContent: '{"demoUsers":[]}' }) })
    views = await import('../../../../web/ui/time-scale.tsx')
  })
  const drawn = (now: number, due?: number) =>
    renderToString(
      <views.TimeScale
        label="Attempts"
        from={FROM}
        now={later(now)}
        ticks={[0, 5, 15, 60]}
        points={[{ at: FROM, tone: 'bad' }]}
        due={due === undefined ? undefined : { at: later(due), distance: 'in 31 minutes' }}
      />,
    )

  it('shows the present time and the due time', () => {
    expect(drawn(29, 60)).toMatch(/hollow.*now.*in 31 minutes/)
  })

  it('omits the present time when all is over', () => {
    expect(drawn(61)).not.toMatch(/now|hollow/)
  })

  it('omits the label of a due time that would overlap the present', () => {
    expect(drawn(59, 60)).not.toContain('in 31 minutes')
  })
})
