import { render } from 'preact-render-to-string'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import type { PartsOfStage } from '../../../../web/home.tsx'

let Parts: typeof import('../../../../web/home.tsx').Parts
beforeAll(async () => {
  vi.stubGlobal('document', { getElementById: () => ({ textContent: '{"demoUsers":[]}' }) })
  Parts = (await import('../../../../web/home.tsx')).Parts
})

function textOf(parts: PartsOfStage): string {
  return render(<Parts parts={parts} />)
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

describe('the parts on the home page', () => {
  it('each have a state in words', () => {
    expect(
      textOf([
        { name: 'database', state: 'ok', ageSeconds: 1 },
        { name: 'directory', state: 'slow', ageSeconds: 1 },
        { name: 'google', state: 'silent', ageSeconds: 1 },
        { name: 'channels', state: 'down', ageSeconds: 1 },
      ]),
    ).toBe('Database Answers Directory Slow Google login No answer in 3 s STOMP and gRPC Down')
  })

  it('have their address and the number of waiting messages, if the service shows them', () => {
    const address = 'http://127.0.0.1:9324/000000000000/retry'
    expect(textOf([{ name: 'queue', state: 'ok', ageSeconds: 0, address, waiting: 2 }])).toBe(
      'Retry queue 127.0.0.1:9324, 2 waiting Answers',
    )
  })
})
