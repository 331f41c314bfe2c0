import { describe, expect, it } from 'vitest'
import { KNOWN } from '../../../../lib/webhooks/sources/catalog.ts'
import { readSendOrder } from '../../../../localstack/commands/send.ts'
import { SENDERS } from '../../../../localstack/senders/table.ts'

const read = (line: string) => readSendOrder(line === '' ? [] : line.split(' '))

describe('the options of a send', () => {
  it('become its order', () => {
    const flags = '-n 20 --duplicate --bad-signature --old 400 --url https://api.example --json'
    expect(read(`Stripe charge.refunded --set a.b=1 --set c=d ${flags}`)).toEqual({
      name: 'stripe',
      sender: SENDERS.stripe,
      sources: KNOWN,
      event: 'charge.refunded',
      settings: [
        { path: ['a', 'b'], value: 1 },
        { path: ['c'], value: 'd' },
      ],
      count: 20,
      copies: 2,
      resend: undefined,
      failsAt: undefined,
      isForged: true,
      age: 400,
      url: new URL('https://api.example'),
      json: true,
    })
  })

  it('can be empty: the first event, once', () => {
    const order = { event: 'message', settings: [], count: 1, copies: 1, isForged: false, age: 0, url: undefined }
    expect(read('slack')).toMatchObject(order)
  })

  it('can request the list only', () => {
    expect(read('--list')).toEqual({ list: true, json: false })
  })

  it('detect that an event contradicts another option', () => {
    expect(read('payment REFUNDED --fail')).toMatchObject({ failsAt: ['transactionId'] })
    expect(read('stripe --fail')).toMatchObject({ failsAt: ['data', 'object', 'id'] })
  })

  it.each([
    ['', 'Name a provider: adyen, adyen-platform'],
    ['constructor', 'There is no provider constructor: npx gatehouse send --list prints all of them'],
    ['strpie', 'There is no provider strpie: did you mean stripe?'],
    ['slack message more', 'Name one event'],
    ['slack -n 0', '-n must be a whole number from 1 to 100000'],
    ['slack --old 1.5', '--old must be a whole number from 0 to 31536000'],
    ['slack --set a', '--set must be path=value, as data.object.amount=500'],
    ['slack --fail', '--fail needs an event about a payment: stripe payment_intent.succeeded'],
    ['slack message --resend Ev1', '--resend takes the event as it was'],
    ['payment --resend pay-1 --fail', '--resend takes the event as it was'],
    ['slack --resend Ev1 -n 2', '--resend takes the event as it was'],
  ])('%j are invalid', (line, problem) => {
    expect(() => read(line)).toThrow(problem)
  })
})
