import { describe, expect, it } from 'vitest'
import { errorShape } from '../../../lib/contract/error-shape.ts'
import { fail } from '../../../lib/errors.ts'

const circumstances = { path: '/ws', now: new Date('2026-01-02T03:04:05.006Z') }

describe('http-17: the error shape', () => {
  it('contains the time, the error and the path, and the details if there are any', () => {
    const details = { resource: '/queue/a', action: 'SEND' }
    expect(errorShape(fail('DESTINATION_CLOSED', details), circumstances)).toEqual({
      timestamp: '2026-01-02T03:04:05.006Z',
      status: 403,
      error: 'Access Denied',
      message: "You don't have permission to access this resource",
      details,
      path: '/ws',
    })
  })

  it('omits the time of a retry, which is in a header', () => {
    const shape = errorShape(fail('TOO_MANY_REQUESTS', { retryAfterSeconds: 5 }), circumstances)
    expect(JSON.parse(JSON.stringify(shape))).not.toHaveProperty('details')
  })
})
