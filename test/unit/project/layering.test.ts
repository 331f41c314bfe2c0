import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** What computes and does no I/O. */
const NODE = ['async_hooks', 'buffer', 'crypto', 'events', 'process', 'stream', 'timers', 'util', 'zlib'].map(
  (name) => `node:${name}`,
)
const BASE = ['lib/errors.ts', 'lib/config.ts', 'lib/runtime', 'zod', ...NODE]
/** By it a change says what it is done to. */
const ACT = 'lib/trail/act.ts'
const DOMAIN = ['auth', 'users', 'trail', 'messages', 'payments', 'orders', 'work', 'webhooks', 'deliver'].map(
  (name) => `lib/${name}`,
)
const PRODUCT = ['lib', 'functions', 'examples', 'handlers', 'proto', 'web', 'infra', 'localstack']
const CLIENTS = [
  '@aws-sdk',
  '@aws-lambda-powertools/metrics',
  '@opentelemetry',
  'ldapts',
  'openid-client',
  '@simplewebauthn/server',
  'node:dns',
  'node:http',
  'node:https',
  'node:net',
  'node:child_process',
  'node:worker_threads',
]

/**
 * Who may import what besides itself: paths, the beginnings of paths, packages. Everything else is refused.
 * `type` allows types only.
 */
const MAY: Readonly<Record<string, readonly string[]>> = {
  'lib/errors.ts': [],
  'lib/config.ts': BASE,
  'lib/runtime': BASE,
  'lib/contract': BASE,
  'lib/users': [...BASE, ACT],
  'lib/payments': [...BASE, 'big.js'],
  'lib/orders': BASE,
  'lib/work': BASE,
  'lib/auth': [...BASE, 'lib/contract', 'lib/users', ACT, 'jose'],
  'lib/trail': [...BASE, 'lib/contract', 'lib/auth', 'lib/users'],
  'lib/messages': [...BASE, 'lib/auth', 'lib/users', ACT, 'type lib/webhooks/live/announcement.ts'],
  'lib/webhooks': [...BASE, 'lib/contract', 'lib/payments', 'lib/orders', 'lib/work', ACT],
  'lib/deliver': [...BASE, 'lib/webhooks', 'lib/work', 'big.js'],
  'lib/adapters': [...BASE, 'lib/contract', ...DOMAIN, ...CLIENTS, 'node:tls', 'node:url', 'jose'],
  'lib/http': [...BASE, 'lib/contract', ...DOMAIN, '@middy', 'cookie', 'type aws-lambda'],
  'lib/grpc': [...BASE, 'lib/contract', ...DOMAIN, 'proto/gen', '@grpc/grpc-js', '@bufbuild/protobuf'],
  'lib/stomp': [...BASE, 'lib/contract', ...DOMAIN, 'ws', 'type node:http', 'type node:net'],
  'lib/stream': [...BASE, 'lib/contract', ...DOMAIN, 'lib/http', 'type lib/stomp', 'type node:http', 'type node:net'],
  'lib/app': ['lib', ...BASE, 'node:fs', 'node:path', '@aws-lambda-powertools/batch', 'type aws-lambda'],
  functions: [...BASE, 'lib/contract', ...DOMAIN, 'lib/http', 'lib/app'],
  'lib/gatehouse.ts': ['lib/config.ts', 'lib/deliver/handler.ts'],
  'lib/testing.ts': ['lib/deliver', ...NODE],
  handlers: ['any package'],
  examples: ['gatehouse', 'vitest', 'node:fs', 'node:http', ...NODE],
  'gatehouse.config.ts': ['gatehouse'],
  'proto/gen': ['@bufbuild/protobuf'],
  web: [
    'lib/errors.ts',
    'lib/runtime',
    'lib/contract',
    'type lib/users/role.ts',
    // The rules of the service, which the pages of the auth lab compute with.
    'lib/auth/access.ts',
    'lib/auth/claims.ts',
    'lib/auth/profile.ts',
    '@preact',
    'preact',
    '@stomp',
    'd3-scale',
    'd3-shape',
  ],
  infra: ['lib', 'functions', 'any package'],
  localstack: [
    'lib',
    'proto/gen',
    ...[
      'build',
      'builds',
      'names',
      'deliver/resources',
      'deliver/stage',
      'environment',
      'finding',
      'handlers',
      'project',
      'check/account',
      'check/report',
      'check/stage',
      'settings',
      'team-config',
      'team-resources',
    ].map((name) => `infra/${name}.ts`),
    'any package',
  ],
  test: [...PRODUCT, 'any package'],
  quality: [...PRODUCT, 'test', 'any package'],
}

/** Single links that are allowed besides. */
const EXCEPTIONS = [
  'lib/runtime/settings/console.ts -> type lib/contract/console.ts',
  'lib/grpc/connections.ts -> node:http2',
  'lib/grpc/connections.ts -> node:net',
  'lib/grpc/connections.ts -> node:diagnostics_channel',
  'lib/stream/server.ts -> node:http',
  'web/ask.ts -> type zod',
  'infra/description/local-cloud.ts -> localstack/strict/rules.ts',
  'infra/description/settings.ts -> localstack/settings.ts',
  'infra/description/vectors.ts -> localstack/signatures.ts',
]

/** Neighbors that do not know each other: what the brackets hold differs. The second pattern leaves out what is shared. */
const APART = [
  [/^lib\/adapters\/([^/]+)/, /^lib\/adapters\/(?!aws\/)([^/]+)/],
  [/^lib\/webhooks\/providers\/(?!index\.|samples\.)(.+)/, /^lib\/webhooks\/providers\/(.+)/],
  [/^functions\/(.+)/, /^functions\/(.+)/],
  [/^handlers\/(?!.+\.test\.ts$)(.+)/, /^handlers\/(?!(?:.+\/)?_)(.+)/],
] as const

interface Link {
  readonly from: string
  readonly to: string
  readonly isType?: boolean
}

const asText = ({ from, to, isType }: Link) => `${from} -> ${isType ? 'type ' : ''}${to}`
const isIn = (path: string, place: string) => path === place || path.startsWith(`${place}/`)
const isPackage = (path: string) =>
  !/^(lib|functions|examples|handlers|proto|web|infra|localstack|test|quality)\//.test(path)

function isAllowed({ from, to, isType }: Link): boolean {
  const part = Object.keys(MAY).find((place) => isIn(from, place)) ?? from
  const allowed = [part, ...(MAY[part] ?? [])]
  const isApart = APART.some(([one, other]) => {
    const [a, b] = [one.exec(from)?.[1], other.exec(to)?.[1]]
    return a !== undefined && b !== undefined && a !== b
  })
  const isNamed = allowed.some((place) => isIn(to, place) || (isType && isIn(`type ${to}`, place)))
  return !isApart && (isNamed || (isPackage(to) && allowed.includes('any package')))
}

const STATIC = /^(?:import|export)\s+(type\s)?(?:[\w$*{}\s,]+?\sfrom\s+)?['"]([^'"]+)['"]/gm
/** What no literal names is a link to nowhere, which no row allows. */
const DYNAMIC = /\bimport\(\s*(?:['"]([^'"]+)['"])?/g

function linksOf(from: string, text: string): readonly Link[] {
  const found = [
    ...[...text.matchAll(STATIC)].map(([, type, to]) => ({ to: to ?? '', isType: type !== undefined })),
    ...[...text.matchAll(DYNAMIC)].map(([, to]) => ({ to: to ?? 'unknown', isType: false })),
  ]
  return found.map(({ to, isType }) => ({ from, isType, to: to.startsWith('.') ? join(dirname(from), to) : to }))
}

const files = globSync(`{${[...PRODUCT, 'test', 'quality'].join()}}/**/*.{ts,tsx,js,mjs}`, {
  exclude: ['**/node_modules', 'quality/bench/peers'],
})
const links = [...files, ...globSync('gatehouse.config.ts')].flatMap((file) =>
  linksOf(file, readFileSync(file, 'utf8')),
)

it('every file imports only what its row names', () => {
  expect(links.length).toBeGreaterThan(1500)
  const refused = links.filter((link) => !isAllowed(link)).map(asText)
  expect(refused.filter((link) => !EXCEPTIONS.includes(link))).toEqual([])
  expect(EXCEPTIONS.filter((link) => !refused.includes(link))).toEqual([])
})

it.each([
  ['lib/runtime/x.ts', 'lib/users/role.ts'],
  ['lib/contract/x.ts', 'lib/stomp/limits.ts'],
  ['lib/users/x.ts', 'lib/auth/token.ts'],
  ['lib/users/x.ts', 'lib/trail/trail.ts'],
  ['lib/auth/x.ts', 'node:net'],
  ['lib/webhooks/x.ts', '@aws-sdk/client-sqs'],
  ['lib/webhooks/x.ts', 'node:fs/promises'],
  ['lib/webhooks/x.ts', 'some-new-package'],
  ['lib/webhooks/providers/slack.ts', 'lib/webhooks/providers/stripe.ts'],
  ['lib/adapters/dynamodb/x.ts', 'lib/adapters/sqs/retry-queue.ts'],
  ['lib/adapters/aws/x.ts', 'lib/adapters/sqs/retry-queue.ts'],
  ['lib/adapters/dynamodb/x.ts', 'lib/http/message.ts'],
  ['lib/http/x.ts', 'lib/grpc/status.ts'],
  ['lib/http/x.ts', 'lib/authority.ts'],
  ['lib/new/x.ts', 'lib/errors.ts'],
  ['lib/app/x.ts', 'localstack/settings.ts'],
  ['lib/app/x.ts', 'infra/build.ts'],
  ['functions/api/x.ts', 'lib/adapters/aws/client.ts'],
  ['functions/api/x.ts', 'functions/api/y.ts'],
  ['functions/api/x.ts', 'test/support/stack.ts'],
  ['handlers/stripe/x.ts', 'lib/webhooks/event.ts'],
  ['handlers/stripe/x.ts', 'handlers/stripe/y.ts'],
  ['web/x.ts', 'lib/webhooks/event.ts'],
  ['web/x.ts', 'functions/api/users.ts'],
  ['web/x.ts', 'lib/auth/token.ts'],
  ['web/x.ts', 'node:buffer'],
  ['infra/x.ts', 'quality/bench/run.ts'],
  ['localstack/x.ts', 'test/support/stack.ts'],
  ['localstack/x.ts', 'quality/run.ts'],
  ['test/unit/x.test.ts', 'quality/fuzz/hunt.ts'],
])('refuses %s -> %s', (from, to) => {
  expect(isAllowed({ from, to })).toBe(false)
})

it.each([
  ['handlers/stripe/x.ts', 'handlers/stripe/_y.ts'],
  ['handlers/stripe/x.test.ts', 'handlers/stripe/x.ts'],
])('allows %s -> %s', (from, to) => {
  expect(isAllowed({ from, to })).toBe(true)
})

it('finds each form of import, on one line or several', () => {
  const text = `import '../a.ts'
import type { B } from './b.ts'
import {
  c,
  type D,
} from "./c.ts"
export * from './e.ts'
export type { F } from './f.ts'
const g = await import('./g.ts')
const h = await import(
  './h.ts'
)
const i = await import(name)
export const j = 'no import'`
  expect(linksOf('lib/x/y.ts', text).map(asText)).toEqual([
    'lib/x/y.ts -> lib/a.ts',
    'lib/x/y.ts -> type lib/x/b.ts',
    'lib/x/y.ts -> lib/x/c.ts',
    'lib/x/y.ts -> lib/x/e.ts',
    'lib/x/y.ts -> type lib/x/f.ts',
    'lib/x/y.ts -> lib/x/g.ts',
    'lib/x/y.ts -> lib/x/h.ts',
    'lib/x/y.ts -> unknown',
  ])
})
