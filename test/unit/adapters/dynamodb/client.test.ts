import { unmarshall } from '@aws-sdk/util-dynamodb'
import { describe, expect, it } from 'vitest'
import { request, unmarshallOptions } from '../../../../lib/adapters/dynamodb/table.ts'
import { serviceFault } from '../../../support/fakes/aws.ts'

const failing = (error: unknown) => () => Promise.reject(error)

describe('a request of a store', () => {
  it('returns an expected error as an answer', async () => {
    const error = serviceFault('ValidationException', 'client')
    expect(await request(failing(error), (given) => (given === error ? 'expected' : undefined))).toBe('expected')
  })

  it('throws every other error', async () => {
    const error = serviceFault('ValidationException', 'client')
    await expect(request(failing(error), () => undefined)).rejects.toBe(error)
  })

  it.each([
    'ProvisionedThroughputExceededException',
    'RequestLimitExceeded',
    'ThrottlingException',
    'TransactionInProgressException',
    'TransactionConflictException',
  ])('Q05 is UNAVAILABLE, and not a failure of a handler, when it is throttled: %s', async (name) => {
    const error = serviceFault(name, 'client')
    await expect(request(failing(error))).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: error })
  })

  it.each([serviceFault('InternalServerError', 'server'), new Error('socket hang up')])(
    'is UNAVAILABLE when the store is down: %s',
    async (error) => {
      await expect(request(failing(error))).rejects.toMatchObject({ code: 'UNAVAILABLE', cause: error })
    },
  )
})

describe('a number of the store', () => {
  it.each(['-1', '9007199254740991'])('is read as a number: %s', (text) => {
    expect(unmarshall({ n: { N: text } }, unmarshallOptions)['n']).toBe(Number(text))
  })

  it.each(['9007199254740992', '10.50'])('that no number can represent is read with its digits: %s', (text) => {
    const { n } = unmarshall({ n: { N: text } }, unmarshallOptions)
    expect(n).not.toBeTypeOf('number')
    expect(String(n)).toBe(text)
  })
})
