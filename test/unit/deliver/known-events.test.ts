import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { execPath } from 'node:process'
import { afterAll, expect, expectTypeOf, it } from 'vitest'
import { type HandlerEvent, handler } from '../../../lib/deliver/handler.ts'
import { testContext, testEvent } from '../../../lib/testing.ts'
import { isProvider } from '../../../lib/webhooks/providers/index.ts'
import { SAMPLES } from '../../../lib/webhooks/providers/samples.ts'
import { temporaryFolder } from '../../support/stack.ts'

const folder = temporaryFolder()
afterAll(() => folder.remove())

type Json<Source extends string, Type extends string> = HandlerEvent<Source, Type>['json']

it('the JSON of a known event has the members that its provider documents, and others that are unknown', () => {
  expectTypeOf<Json<'stripe', 'payment_intent.succeeded'>['data']['object']['amount']>().toEqualTypeOf<number>()
  expectTypeOf<Json<'shopify', 'orders/paid'>['line_items'][number]['sku']>().toEqualTypeOf<string | null>()
  expectTypeOf<Json<'slack', 'message'>['event']['thread_ts']>().toEqualTypeOf<string | undefined>()
  expectTypeOf<Json<'github', 'push'>['repository']['topics']>().toBeUnknown()
})

it('the JSON of any other event is any', () => {
  expectTypeOf<HandlerEvent['json']>().toBeAny()
  expectTypeOf<HandlerEvent['type']>().toEqualTypeOf<string>()
  expectTypeOf<Json<'shop', 'orders/paid'>>().toBeAny()
  expectTypeOf<Json<'stripe', 'a.new.type'>>().toBeAny()
  handler(({ json }) => {
    expectTypeOf(json).toBeAny()
  })
})

it('of several types, the type of an event tells its JSON', async () => {
  const orders = handler<'shopify', 'orders/paid' | 'refunds/create'>(({ type, json }, { log }) => {
    if (type === 'orders/paid') expectTypeOf(json.total_price).toEqualTypeOf<string>()
    else log.info('refunded', { order: json.order_id satisfies number })
  })
  const context = testContext()
  await orders(testEvent({ source: 'shopify', type: 'refunds/create', json: { order_id: 7 } }), context)
  expect(context.lines).toEqual([{ level: 'info', message: 'refunded', order: 7 }])
  const other = testEvent({ source: 'shopify', type: 'orders/create' })
  expectTypeOf(other).not.toExtend<Parameters<typeof orders>[0]>()
})

const PAGE = readFileSync('docs/handlers.md', 'utf8')

/** The types of each provider in the table of the page. */
const LISTED = [...PAGE.matchAll(/^\| `(\w+)` \| (`[^|]+`) \|$/gm)].map(
  ([, source = '', types = '']) => [source, [...types.matchAll(/`([^`]+)`/g)].map(([, type = '']) => type)] as const,
)

/** The handler of the page. */
const [, EXAMPLE = ''] = /^```ts\n(import .+?)^```/ms.exec(PAGE.slice(PAGE.indexOf('## Typed JSON'))) ?? []

const LIST = [
  'type Types = { [Source in keyof KnownEvents]: keyof KnownEvents[Source] }',
  `type Listed = { ${LISTED.map(([source, types]) => `${source}: '${types.join("' | '")}'`).join('; ')} }`,
  'export const all = (types: Types): Listed => types',
  'export const known = (types: Listed): Types => types',
]

/** The bodies of the samples, each with the type of its event. */
const BODIES = LISTED.flatMap(([source, types]) => {
  const { events, draft } = SAMPLES[isProvider(source) ? source : 'generic']
  return types
    .filter((type) => events.includes(type))
    .map((type) => {
      const { body } = draft(type, { id: '0f8fad5b-d9cb-469f-a165-70867728950e', at: new Date(0) })
      return `{ const body: Part<JsonOf<'${source}', '${type}'>> = ${JSON.stringify(body)} }`
    })
})

const PART = `type Part<T> = T extends readonly (infer Item)[] ? Part<Item>[]
  : T extends object ? { [Name in keyof T]?: Part<T[Name]> } : T`

it('the page lists each type whose JSON is known, its handler compiles, and a sample has no member of another type', () => {
  const shapes = `import type { JsonOf, KnownEvents } from '${resolve('lib/deliver/known-events.ts')}'`
  const files = {
    'list.ts': [shapes, ...LIST],
    'samples.ts': [shapes, PART, ...BODIES],
    'example.ts': [EXAMPLE.replace("'gatehouse'", `'${resolve('lib/deliver/handler.ts')}'`)],
  }
  for (const [name, lines] of Object.entries(files)) writeFileSync(join(folder.path, name), lines.join('\n'))
  const options = ['--noEmit', '--strict', '--ignoreConfig', '--allowImportingTsExtensions', '--lib', 'es2025']
  const types = [
    '--types',
    'node',
    '--typeRoots',
    resolve('node_modules/@types'),
    '--module',
    'nodenext',
    '--skipLibCheck',
  ]
  const paths = Object.keys(files).map((name) => join(folder.path, name))
  const compiler = [resolve('node_modules/typescript/bin/tsc'), ...options, ...types, ...paths]
  expect([LISTED.flatMap(([, names]) => names).length, BODIES.length]).toEqual([36, 28])
  expect(spawnSync(execPath, compiler, { encoding: 'utf8' }).stdout).toBe('')
})
