import type { APIGatewayProxyEventV2 } from 'aws-lambda'
import { describe, expect, it } from 'vitest'
import { correctedEvent } from '../../../../localstack/stack/offline.ts'
import { httpEvent } from '../../../support/fakes/http.ts'

/** An event as serverless-offline makes it, of a request with this target. */
function made(target: string, headers: Readonly<Record<string, string>> = {}): APIGatewayProxyEventV2 {
  const event = httpEvent({ path: '/resolved', headers: { ':target': target, ...headers }, rawQueryString: 'encoded' })
  return { ...event, queryStringParameters: { encoded: '' } } as APIGatewayProxyEventV2
}

describe('the parameters of an event are decoded and repeated ones are joined by commas', () => {
  it.each<[string, Readonly<Record<string, string>>]>([
    ['a=%20b', { a: ' b' }],
    ['a=+', { a: ' ' }],
    ['a=1&b=2&a=3', { a: '1,3', b: '2' }],
    ['a&a', { a: ',' }],
    ['constructor=1', { constructor: '1' }],
    ['a=%c3%a9', { a: 'é' }],
  ])('%s', (query, parameters) => {
    const event = correctedEvent(made(`/?${query}`))
    expect(event.rawQueryString).toBe(query)
    expect(Object.entries(event.queryStringParameters ?? {})).toEqual(Object.entries(parameters))
  })

  it('without a query there are none', () => {
    expect(correctedEvent(made('/?'))).not.toHaveProperty('queryStringParameters')
  })
})

it('the path of an event is the one that was sent', () => {
  const event = correctedEvent(made('/api/../%61/?x'))
  expect([event.rawPath, event.requestContext.http.path]).toEqual(['/api/../%61/', '/api/../%61/'])
})

describe('the headers of an event', () => {
  it('have no content type that was not sent', () => {
    expect(correctedEvent(made('/', { 'content-type': 'application/json', a: 'b' })).headers).toEqual({ a: 'b' })
  })

  it('have the content type that was sent', () => {
    const sent = { 'content-type': 'application/json', ':content-type': 'text/plain' }
    expect(correctedEvent(made('/', sent)).headers).toEqual({ 'content-type': 'text/plain' })
  })
})
