import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { carrierOf } from '../../lib/app/carriers.ts'
import type { Carrier } from '../../lib/deliver/carrier.ts'
import { A_TRACEPARENT, deliveredEvent } from '../support/delivered-event.ts'
import { CRM } from '../support/fakes/deliveries.ts'
import { type SecretsManager, startSecretsManager } from '../support/secrets-manager.ts'

const NAME = 'gatehouse/prod/deliveries'
const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(24)).toString('base64')}`
const [FIRST, SECOND, THIRD] = [secretOf('a'), secretOf('b'), secretOf('c')] as const
const BODY = '{"id":"evt_1"}'

const received: IncomingHttpHeaders[] = []
const receiver = createServer((request, response) => {
  received.push(request.headers)
  request.resume().once('end', () => response.writeHead(204).end())
})

let manager: SecretsManager
let carrier: Carrier

const hold = (crm: unknown) => manager.put(NAME, { DELIVERY_SECRETS: JSON.stringify({ crm }) })

beforeAll(async () => {
  manager = await startSecretsManager()
  hold(FIRST)
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve))
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_SECRETS_MANAGER: manager.url,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'local',
    AWS_SECRET_ACCESS_KEY: 'local',
  })
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const destination = { ...CRM, target: { to: 'http', url, isPrivate: false, headers: new Map() } } as const
  const settings = { STAGE: 'local', SECRETS_PREFIX: 'gatehouse/prod', SECRET_MAX_AGE_SECONDS: '0' }
  carrier = await carrierOf(destination, 'local', settings)
})

afterAll(async () => {
  await manager.stop()
  receiver.close()
  receiver.closeAllConnections()
})

/** Which of the secrets the receiver of the next delivery may know. */
async function knownTo(...secrets: readonly string[]): Promise<readonly boolean[]> {
  const event = deliveredEvent({ payload: Buffer.from(BODY) })
  expect(await carrier.carry({ event, attempt: 1, traceparent: A_TRACEPARENT, at: new Date() })).toMatchObject({
    kind: 'delivered',
  })
  const headers = received.at(-1) as Record<string, string>
  return secrets.map((secret) => {
    try {
      return Boolean(new Webhook(secret).verify(BODY, headers))
    } catch {
      return false
    }
  })
}

describe('D08 a signing secret that is replaced twice while the function runs', () => {
  it.each([
    ['before', FIRST, [true, false, false]],
    ['in the first overlap', [SECOND, FIRST], [true, true, false]],
    ['between', [SECOND], [false, true, false]],
    ['in the second overlap', [THIRD, SECOND], [false, true, true]],
    ['after', THIRD, [false, false, true]],
  ] as const)('%s: receivers verify with the secrets that are valid then', async (_, held, known) => {
    hold(held)
    expect(await knownTo(FIRST, SECOND, THIRD)).toEqual(known)
  })

  it('stays the same while it cannot be read', async () => {
    manager.fail([500, '{}'])
    expect(await knownTo(FIRST, SECOND, THIRD)).toEqual([false, false, true])
    manager.fail()
  })
})
