import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { handlerCarrier } from '../../lib/adapters/process/carrier.ts'
import type { Parcel } from '../../lib/deliver/carrier.ts'
import type { HandlerTarget } from '../../lib/deliver/destination.ts'
import type { DeliverySecrets } from '../../lib/deliver/http-headers.ts'
import { A_TRACEPARENT, deliveredEvent } from '../support/delivered-event.ts'
import { fixedClock, START } from '../support/fakes/clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const serve = join(folder, 'serve.mjs')
beforeAll(() =>
  build({
    entryPoints: ['lib/adapters/process/serve-handler.ts'],
    outfile: serve,
    bundle: true,
    format: 'esm',
    platform: 'node',
  }),
)

let files = 0

/** Writes the file of a handler, and what serves it as the build does. @returns the path of the latter */
function served(text: string): string {
  files += 1
  const place = join(folder, `${files}`)
  mkdirSync(join(place, 'handlers/shop'), { recursive: true })
  writeFileSync(join(place, 'handlers/shop/order-paid.ts'), text)
  const index = join(place, 'index.mjs')
  writeFileSync(
    index,
    `import { serveHandler } from '../serve.mjs'\nserveHandler(() => import('./handlers/shop/order-paid.ts'))\n`,
  )
  return index
}

interface Given {
  readonly timeout?: number
  readonly target?: Partial<HandlerTarget>
  readonly secrets?: DeliverySecrets
}

function carrierFor(file: string, { timeout = 20_000, target = {}, secrets = new Map() }: Given = {}) {
  const whole = { to: 'handler', path: 'shop/order-paid', memory: 512, secrets: [], rights: [], ...target } as const
  const route = { timeout, target: whole, isLocal: true }
  return handlerCarrier({ route, file, secrets: async () => secrets, clock: fixedClock(START) })
}

const parcel = (changes: Partial<Parcel> = {}): Parcel => ({
  event: deliveredEvent(),
  attempt: 1,
  traceparent: A_TRACEPARENT,
  at: START,
  ...changes,
})

async function answerTo(text: string, given?: Given): Promise<string> {
  const file = served(text)
  const { answer } = await carrierFor(file, given).carry(parcel())
  return answer
}

/** A handler that is done only if all that holds. */
const checking = (...conditions: readonly string[]) => `import { isDeepStrictEqual as same } from 'node:util'
export default async (event, context) => {
${conditions.map((condition) => `if (!(${condition})) throw new RangeError()`).join('\n')}
}`

describe('a handler', () => {
  it('receives the event, its proof and the number of the try', async () => {
    const text = checking(
      "same([event.source, event.eventId, event.type, event.attempt], ['stripe', 'evt_1', 'payment_intent.succeeded', 1])",
      `event.traceparent === '${A_TRACEPARENT}'`,
      `event.receivedAt.getTime() === ${START.getTime()}`,
      'event.repeatsUntil === undefined && event.typeConflict === false',
      'Buffer.isBuffer(event.body) && event.body.toString() === event.text && event.text === \'{"id":"evt_1"}\'',
      "event.json.id === 'evt_1' && event.headers['user-agent'] === 'Stripe/1.0' && event.replayId === undefined",
      `event.proof.level === 'full' && event.proof.signedAt.getTime() === ${START.getTime()}`,
      "context.idempotencyKey === 'gh_3804000000000000123' && context.signal.aborted === false",
    )
    expect(await answerTo(text)).toBe('done')
  })

  it('keeps its process for the next event, and receives the same key at each try and replay', async () => {
    const file = served(`let n = 0; export default ({ attempt }, { idempotencyKey }) => {
      n += 1; if (n !== attempt || idempotencyKey !== 'gh_3804000000000000123') throw new Error()
    }`)
    const carrier = carrierFor(file)
    for (const attempt of [1, 2]) expect((await carrier.carry(parcel({ attempt, replayId: 'r' }))).answer).toBe('done')
  })

  it('has a separate process for each of several parallel events', async () => {
    const file = served(
      'let n = 0; export default async () => { n += 1; await new Promise(setImmediate); if (n > 1) throw new Error() }',
    )
    const carrier = carrierFor(file)
    const answers = await Promise.all([carrier.carry(parcel()), carrier.carry(parcel())])
    expect(answers.map(({ answer }) => answer)).toEqual(['done', 'done'])
  })

  it('ends with its build, so that no process of an older one stays', async () => {
    const file = served('export default () => {}')
    const carrier = carrierFor(file)
    expect((await carrier.carry(parcel())).kind).toBe('delivered')
    rmSync(file)
    await vi.waitUntil(async () => (await carrier.carry(parcel())).kind === 'failed', { timeout: 20_000 })
  })

  it('D14 sees none of the settings of the service', async () => {
    vi.stubEnv('JWT_KEYS', 'a:b')
    vi.stubEnv('WEBHOOK_SECRETS', '{}')
    vi.stubEnv('AWS_LAMBDA_RUNTIME_API', '127.0.0.1:9001')
    vi.stubEnv('AWS_REGION', 'eu-central-1')
    const text = checking(
      "!('JWT_KEYS' in process.env) && !('WEBHOOK_SECRETS' in process.env)",
      "!('AWS_LAMBDA_RUNTIME_API' in process.env)",
      "process.env.AWS_REGION === 'eu-central-1'",
    )
    expect(await answerTo(text)).toBe('done')
    vi.unstubAllEnvs()
  })

  it('reads its own secrets with their present values, and no others', async () => {
    const soon = new Date(START.getTime() + 1)
    const secrets: DeliverySecrets = new Map([
      [
        'mail',
        [
          { value: 'old', notAfter: new Date(START.getTime() - 1) },
          { value: 'good' },
          { value: 'new', notBefore: soon },
        ],
      ],
      ['other', [{ value: 'x' }]],
    ])
    const given = { secrets, target: { secrets: ['mail'] } }
    expect(await answerTo(checking("context.secret('mail') === 'good'"), given)).toBe('done')
    expect(await answerTo("export default (_, { secret }) => { secret('other') }", given)).toMatch(/^threw Error/)
  })

  it('does not run while one of its secrets is invalid', async () => {
    const secrets = new Map([['mail', [{ value: 'old', notAfter: new Date(START.getTime() - 1) }]]])
    const given = { secrets, target: { secrets: ['mail'] } }
    expect(await answerTo('export default () => {}', given)).toBe('no secret mail is good now')
  })
})

const AT = 'at handlers/shop/order-paid.ts'

describe('D13 a faulty one fails with the reason, and with nothing of the event:', () => {
  it.each<readonly [what: string, text: string, answer: string, given: Given]>([
    ['throws', 'export default () => { throw new RangeError("4111111111111111") }', `threw RangeError ${AT}:1:30`, {}],
    [
      'throws with a code',
      'export default async () => { await (await import("node:fs/promises")).readFile("/no") }',
      `threw Error ENOENT ${AT}:1:30`,
      {},
    ],
    ['throws a text', 'export default () => { throw "4111" }', 'threw a value of type string', {}],
    ['throws null', 'export default () => { throw null }', 'threw null', {}],
    [
      'throws an error with an invalid name',
      'export default () => { throw Object.assign(new Error(), { name: "4111 1111" }) }',
      `threw Error ${AT}:1:44`,
      {},
    ],
    [
      'throws in the background',
      'export default () => new Promise(() => setTimeout(() => { throw new TypeError() }))',
      `threw TypeError ${AT}:1:65`,
      {},
    ],
    [
      'rejects in the background',
      'export default () => new Promise(() => void Promise.reject(new TypeError()))',
      `threw TypeError ${AT}:1:60`,
      {},
    ],
    ['loops', 'export default () => { for (;;); }', 'no end within 0.6 s', { timeout: 600 }],
    ['never ends loading', 'for (;;); export default () => {}', 'no end within 0.6 s', { timeout: 600 }],
    ['ends its process', 'export default () => process.exit(0)', 'its process ended with 0', {}],
    [
      'kills its process',
      'export default () => process.kill(process.pid, "SIGKILL")',
      'its process ended with SIGKILL',
      {},
    ],
    [
      'exits its process',
      'export default () => { process.disconnect(); return new Promise(() => {}) }',
      'its process ended with 0',
      {},
    ],
    [
      'fills the memory',
      'export default () => { const all = []; for (;;) all.push(new Array(1e5).fill({})) }',
      'its process ended with SIGABRT',
      { target: { memory: 160 } },
    ],
    [
      'imports a missing module',
      'import x from "not-there"; export default () => x',
      'threw Error ERR_MODULE_NOT_FOUND',
      {},
    ],
    ['exports nothing', 'export const on = []', 'threw TypeError', {}],
    [
      'sends nonsense',
      'export default () => { process.send({ kind: "odd", answer: "4111" }); return new Promise(() => {}) }',
      'its process sent something else than a result',
      {},
    ],
  ])('%s', async (_, text, answer, given) => {
    const file = served(text)
    const carrier = carrierFor(file, given)
    expect(await carrier.carry(parcel())).toEqual({ kind: 'failed', answer })
  })

  it('that ends its process between two events runs in another one', async () => {
    const file = served('export default () => { setTimeout(() => process.exit(3)) }')
    const carrier = carrierFor(file)
    for (let round = 0; round < 3; round++)
      expect((await carrier.carry(parcel())).answer).toMatch(/^done$|ended with 3$/)
  })
})

it('a handler receives an abort signal before its time limit', async () => {
  const text = "export default (_, { signal }) => new Promise((done) => signal.addEventListener('abort', done))"
  expect(await answerTo(text, { timeout: 2500 })).toBe('done')
})
