import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cwd } from 'node:process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { adminHeaders } from '../../test/support/admin-headers.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { freeOffset, type Stack, startStack, temporaryFolder } from '../../test/support/stack.ts'

interface Delivery {
  readonly destination: string
  readonly status: string
  readonly attempts: number
  readonly answer: string | null
}

/** A project of its own with a running service. */
function projectWith(options: readonly string[], files: Readonly<Record<string, string>> = {}) {
  const copy = temporaryFolder()
  const data = temporaryFolder()
  let stack: Stack
  let environment: Readonly<Record<string, string>>

  beforeAll(async () => {
    copyProject(cwd(), copy.path)
    for (const [name, text] of Object.entries(files)) save(name, text)
    environment = {
      PORT_OFFSET: String(await freeOffset()),
      DATA_DIR: data.path,
      WEBHOOK_RETRY_SCAN_INTERVAL_MS: '1000',
    }
    await start()
  })
  afterAll(async () => {
    await stack?.stop()
    copy.remove()
    data.remove()
  })

  async function start(): Promise<void> {
    stack = await startStack(environment, ['env', '-C', copy.path], options)
  }

  function save(name: string, text: string): void {
    mkdirSync(join(copy.path, name, '..'), { recursive: true })
    writeFileSync(join(copy.path, name), text)
  }

  async function pay(changes: object = {}): Promise<string> {
    const eventId = randomUUID()
    const whole = { transactionId: eventId, orderId: 'o-1', status: 'COMPLETED', currency: 'EUR', amount: 1 }
    const response = await fetch(`${stack.ready.http}/webhooks/payment`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ eventId, ...whole, ...changes }),
    })
    expect(response.status).toBe(200)
    return eventId
  }

  async function deliveriesOf(eventId: string): Promise<readonly Delivery[]> {
    const response = await fetch(`${stack.ready.http}/api/webhooks/events/payment/${eventId}/deliveries`, {
      headers: await adminHeaders(stack.ready),
    })
    return ((await response.json()) as { deliveries: Delivery[] }).deliveries
  }

  return {
    copy: copy.path,
    stack: () => stack,
    start,
    save,
    pay,
    deliveriesOf,
    log: () => readFileSync(join(data.path, 'gatehouse.log'), 'utf8'),
  }
}

const within = <T>(look: () => T | Promise<T>, options: { timeout?: number; interval?: number } = {}) =>
  vi.waitFor(look, { timeout: 120_000, interval: 200, ...options })

describe('the handler of the guide, copied into a project that `npm run dev` serves', () => {
  const { copy, stack, pay, deliveriesOf, log, save } = projectWith(['--dev'])
  const file = 'handlers/payment/thank-customer.ts'

  it('runs after one reload', async () => {
    mkdirSync(join(copy, 'handlers/payment'), { recursive: true })
    cpSync(join(copy, 'examples/payment/thank-customer.ts'), join(copy, file))
    await within(() => expect(stack().complaints()).toContain('The gateway ended and is started again.'))
    await within(() => pay())
    await within(() => expect(log()).toContain('the customer is thanked'))
  })

  const linesWith = (text: string) =>
    stack()
      .complaints()
      .filter((line) => line.includes(text)).length

  it('is updated when it is saved, without another reload', async () => {
    const text = readFileSync(join(copy, file), 'utf8')
    const builds = linesWith('built in')
    save(file, text.replace('the customer is thanked', 'the customer is thanked twice'))
    await within(() => expect(linesWith('built in')).toBeGreaterThan(builds))
    await pay()
    await within(() => expect(log()).toContain('the customer is thanked twice'))
    expect(linesWith('started again')).toBe(1)
  })

  it('whose next version cannot be built goes on as before, and the terminal shows file and line', async () => {
    const text = readFileSync(join(copy, file), 'utf8')
    save(file, `import missing from 'not-there'\n${text}\nmissing()\n`)
    await within(() => expect(linesWith(`${file}:1:20: Could not resolve "not-there"`)).toBe(1))
    const eventId = await pay()
    await within(async () => expect(await deliveriesOf(eventId)).toMatchObject([{ status: 'DELIVERED', attempts: 1 }]))
    save(file, text)
  })

  it('is removed when its file is removed', async () => {
    rmSync(join(copy, file))
    await within(() =>
      expect(
        stack()
          .complaints()
          .filter((line) => line.includes('started again')),
      ).toHaveLength(2),
    )
    const eventId = await within(() => pay())
    expect(await deliveriesOf(eventId)).toEqual([])
  })
})

/** What stands in the file of each bad handler, and the reason that operators see. */
const BAD: Readonly<Record<string, readonly [text: string, reason: string | RegExp]>> = {
  throws: ['() => { throw new RangeError("card no") }', 'threw RangeError at handlers/payment/throws.ts:2:30'],
  loops: ['() => { for (;;); }', 'no end within 3 s'],
  'never-ends': ['() => new Promise(() => {})', 'no end within 3 s'],
  'too-late': ['() => new Promise((done) => setTimeout(done, 10_000))', 'no end within 3 s'],
  leaks: [
    '() => { const all: unknown[] = []; for (;;) all.push(new Array(1e5).fill({})) }',
    /^(?:its process ended with SIGABRT|no end within 3 s)$/,
  ],
  'kills-itself': ['() => process.kill(process.pid, "SIGKILL")', 'its process ended with SIGKILL'],
  exits: ['() => process.exit()', 'its process ended with 0'],
  'loads-nothing': [
    'async () => { const name = "not-there"; await import(name) }',
    /^threw Error ERR_MODULE_NOT_FOUND/,
  ],
}

const NAMES = Object.keys(BAD)

describe('with eight bad handlers and a good one', () => {
  // Loops and leaks have a core to themselves while they last: the pauses leave it to the others.
  const settings = { timeoutSeconds: 3, retry: [5], memoryMegabytes: 256 }
  const handlers = Object.fromEntries(NAMES.map((name) => [`payment/${name}`, settings]))
  const files = Object.entries(BAD).map(([name, [text]]) => [
    `handlers/payment/${name}.ts`,
    `export const on = ['PAYMENT']\nexport default ${text}\n`,
  ])
  const good = `export const on = ['PAYMENT']
export default (event: { eventId: string }, { log }: { log: { info: (text: string) => void } }) => log.info('good ' + event.eventId)\n`
  const { stack, start, pay, deliveriesOf, log } = projectWith([], {
    'gatehouse.config.ts': `export default { handlers: ${JSON.stringify(handlers)} }\n`,
    'handlers/payment/good.ts': good,
    ...Object.fromEntries(files),
  })
  const byName = async (eventId: string) =>
    new Map((await deliveriesOf(eventId)).map((one) => [one.destination.replace('payment:', ''), one]))

  it('each event reaches the good one, and each of the others fails for its own reason', async () => {
    const started = Date.now()
    const events = await Promise.all(Array.from({ length: 10 }, () => pay()))
    await within(() => expect(events.filter((id) => log().includes(`good ${id}`))).toHaveLength(10))
    console.log(`the good handler had 10 events after ${Date.now() - started} ms`)
    await within(async () => {
      for (const id of events)
        expect((await byName(id)).get('good')).toMatchObject({ status: 'DELIVERED', attempts: 1 })
    })
    const [first = ''] = events
    await within(async () => {
      const found = await byName(first)
      for (const name of NAMES) {
        const [, reason] = BAD[name] ?? []
        expect(found.get(name)?.answer, name).toEqual(
          typeof reason === 'string' ? reason : expect.stringMatching(reason ?? /^$/),
        )
      }
    })
    expect(log()).not.toContain('card no')
  })

  it('when all processes are killed in the middle, the good one loses no event', async () => {
    const events = await Promise.all(Array.from({ length: 20 }, () => pay()))
    await stack().kill()
    await start()
    await within(
      async () => {
        for (const id of events) expect((await byName(id)).get('good')?.status).toBe('DELIVERED')
      },
      { timeout: 200_000 },
    )
  })
})
