import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { taskCredentials } from '../../../../lib/adapters/aws/client.ts'
import { fixedClock } from '../../../support/fakes/clock.ts'

const MINUTE = 60_000

let answer = { status: 200, body: {} }
let asked = 0
const server = createServer((_, response) => {
  asked += 1
  response.writeHead(answer.status).end(JSON.stringify(answer.body))
})

beforeEach(async () => {
  asked = 0
  await once(server.listen(0, '127.0.0.1'), 'listening')
})

afterEach(() => {
  server.close()
  server.closeAllConnections()
})

const url = () => new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)

describe('the credentials of a task', () => {
  it.each([
    [404, {}, 'the credentials of the task were answered with 404'],
    [200, { AccessKeyId: 'id' }, 'Invalid input'],
  ])('are missing, and the error says why: %d %j', async (status, body, problem) => {
    answer = { status, body }
    await expect(taskCredentials(url(), fixedClock())()).rejects.toThrow(problem)
  })

  it('are requested once, again five minutes before they expire, and again after a failure', async () => {
    const clock = fixedClock()
    const Expiration = new Date(clock.now().getTime() + 60 * MINUTE).toISOString()
    const good = { status: 200, body: { AccessKeyId: 'id', SecretAccessKey: 'key', Token: 't', Expiration } }
    answer = good
    const credentials = taskCredentials(url(), clock)
    const [, second] = await Promise.all([credentials(), credentials()])
    expect(second).toEqual({ accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 't' })
    clock.advance(55 * MINUTE - 1)
    await credentials()
    expect(asked).toBe(1)
    clock.advance(1)
    answer = { ...good, status: 500 }
    await expect(credentials()).rejects.toThrow('answered with 500')
    answer = good
    await credentials()
    expect(asked).toBe(3)
  })
})
