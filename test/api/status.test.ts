import { describe, expect, it } from 'vitest'
import { call } from '../support/client.ts'

describe('GET /api/status', () => {
  it('names every part of the stage with its state and its age, for anybody', async () => {
    const { status, json } = await call('/api/status')
    expect(status).toBe(200)
    const parts = json['parts'] as readonly Record<string, unknown>[]
    expect(parts.map(({ name }) => name)).toEqual([
      'database',
      'queue',
      'directory',
      'channels',
      'google',
      'github',
      'facebook',
    ])
    for (const part of parts) {
      expect(['ok', 'slow']).toContain(part['state'])
      expect(part['ageSeconds']).toBeLessThan(11)
    }
    expect(['ok', 'slow']).toContain(json['state'])
    expect(parts[1]?.['waiting']).toBeGreaterThanOrEqual(0)
  })
})
