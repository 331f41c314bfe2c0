import { describe, expect, it } from 'vitest'
import { invalid, unavailable } from '../../../lib/errors.ts'
import { renaming } from '../../../lib/grpc/call.ts'

const FIELDS = { q: 'query' }

describe('an input whose fields have other names than in the message', () => {
  it('refuses a field under the name that it has in the message', async () => {
    const issues = ['q', 'source'].map((field) => ({ path: [field], message: 'is wrong' }))
    await expect(renaming(FIELDS, () => Promise.reject(invalid(issues)))).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { validationErrors: [{ field: 'query', message: 'is wrong' }, { field: 'source' }] },
    })
  })

  it.each([unavailable(new Error('down')), new TypeError('a bug')])(
    'fails with any other error unchanged: %s',
    (error) => expect(renaming(FIELDS, () => Promise.reject(error))).rejects.toBe(error),
  )
})
