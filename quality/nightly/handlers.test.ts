import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cwd } from 'node:process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { adminHeaders } from '../../test/support/admin-headers.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

const FILE = 'handlers/payment/thank-customer.ts'

const copy = temporaryFolder()
const data = temporaryFolder()
const file = join(copy.path, FILE)
let stack: Stack

beforeAll(async () => {
  copyProject(cwd(), copy.path)
  const environment = { PORT_OFFSET: String(await freeOffset()), DATA_DIR: data.path }
  stack = await startStack(environment, ['env', '-C', copy.path], ['--dev'])
})
afterAll(async () => {
  await stack?.stop()
  copy.remove()
  data.remove()
})

async function pay(): Promise<string> {
  const eventId = randomUUID()
  const payment = { eventId, transactionId: eventId, orderId: 'o-1', status: 'COMPLETED', currency: 'EUR', amount: 1 }
  const answer = await fetch(`${stack.ready.http}/webhooks/payment`, { method: 'POST', body: JSON.stringify(payment) })
  expect(answer.status).toBe(200)
  return eventId
}

async function deliveriesOf(eventId: string): Promise<unknown> {
  const headers = await adminHeaders(stack.ready)
  const answer = await fetch(`${stack.ready.http}/api/webhooks/events/payment/${eventId}/deliveries`, { headers })
  return ((await answer.json()) as { readonly deliveries: unknown }).deliveries
}

const log = () => readFileSync(join(data.path, 'gatehouse.log'), 'utf8')
const linesWith = (text: string) => stack.complaints().filter((line) => line.includes(text)).length
const within = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 120_000, interval: 200 })

describe('the handler of the guide, copied into a project that `npm run dev` serves', () => {
  it('runs after one reload', async () => {
    mkdirSync(dirname(file), { recursive: true })
    cpSync('examples/payment/thank-customer.ts', file)
    await within(() => expect(linesWith('The gateway ended and is started again.')).toBe(1))
    await within(() => pay())
    await within(() => expect(log()).toContain('the customer is thanked'))
  })

  it('is updated when it is saved, without another reload', async () => {
    const text = readFileSync(file, 'utf8')
    const builds = linesWith('built in')
    writeFileSync(file, text.replace('the customer is thanked', 'the customer is thanked twice'))
    await within(() => expect(linesWith('built in')).toBeGreaterThan(builds))
    await pay()
    await within(() => expect(log()).toContain('the customer is thanked twice'))
    expect(linesWith('started again')).toBe(1)
  })

  it('is removed when its file is removed', async () => {
    rmSync(file)
    await within(() => expect(linesWith('started again')).toBe(2))
    const eventId = await within(() => pay())
    expect(await deliveriesOf(eventId)).toEqual([])
  })
})
