import { describe, expect, it } from 'vitest'
import type { HttpEvent } from '../../../../lib/http/message.ts'
import { correctRunner, type Runner } from '../../../../localstack/stack/offline.ts'
import { httpEvent } from '../../../support/fakes/http.ts'
import { recordingLog } from '../../../support/fakes/log.ts'

const DEADLINE = new Error('[504] - Lambda timeout.')

/** A run of a function that ends in one way. */
function runOf(end: () => Promise<unknown>) {
  const prototype: Runner = { setEvent: () => {}, runHandler: end }
  const log = recordingLog()
  correctRunner(prototype, new URL('http://127.0.0.1:3000'), log)
  return { run: Object.create(prototype) as Runner, log }
}

const failing = () => runOf(() => Promise.reject(DEADLINE))

describe('a function that was ended or could not be loaded', () => {
  it.each([
    ['/api/auth/login', 'application/json', { status: 503, message: 'Service temporarily unavailable' }],
    ['/no/such/path', 'application/json', { status: 503, path: '/no/such/path' }],
    ['/webhooks/payment', 'application/json', { success: false, message: 'Service temporarily unavailable' }],
  ])('answers 503 in the shape of %s', async (path, type, body) => {
    const { run } = failing()
    run.setEvent(httpEvent({ method: 'POST', path }))
    const reply = (await run.runHandler()) as { statusCode: number; headers: Record<string, string>; body: string }
    expect(reply).toMatchObject({
      statusCode: 503,
      headers: { 'content-type': type, 'retry-after': '5', 'x-content-type-options': 'nosniff' },
    })
    expect(JSON.parse(reply.body)).toMatchObject(body)
    expect(reply.body).not.toMatch(/stack|timeout|\.ts|\.js/)
  })

  it('answers a provider with the text alone', async () => {
    const { run } = failing()
    run.setEvent(httpEvent({ method: 'POST', path: '/webhooks/github' }))
    expect(await run.runHandler()).toMatchObject({ statusCode: 503, body: 'Service temporarily unavailable' })
  })

  it('is logged with its cause', async () => {
    const { run, log } = failing()
    run.setEvent(httpEvent({ path: '/login' }))
    await run.runHandler()
    expect(log.entries).toMatchObject([{ level: 'error', fields: { path: '/login', cause: DEADLINE } }])
  })

  it('fails as on Lambda if it is a job', async () => {
    const { run } = failing()
    run.setEvent({ Records: [] } as unknown as HttpEvent)
    await expect(run.runHandler()).rejects.toBe(DEADLINE)
  })
})

it('an answer of a function stays as it is', async () => {
  const reply = { statusCode: 200, body: 'x' }
  const { run } = runOf(async () => reply)
  run.setEvent(httpEvent({ path: '/login' }))
  expect(await run.runHandler()).toBe(reply)
})
