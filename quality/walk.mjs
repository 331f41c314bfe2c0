// How far does a call walk? Functions entered, own files, and visits: how often the way goes from one file to another.
// `npm run quality -- walk`, or `-- walk stripe` for the way itself. Compare equal calls of two commits only.
import { createHmac, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { parse } from 'acorn'
import { build, transformSync } from 'esbuild'
import { LAMBDA_ENVIRONMENT, STRIPE_SECRET } from '../test/support/lambda-environment.ts'
import { invoker, lambdaEvent } from '../test/support/lambda-event.ts'

/** Each function of our own files says its name when it is entered. */
function marked(path) {
  const { code } = transformSync(readFileSync(path, 'utf8'), { loader: 'ts', target: 'esnext' })
  const edits = [...editsOf(parse(code, { ecmaVersion: 'latest', sourceType: 'module' }), relative('.', path), 'fn')]
  return edits
    .sort(([a], [b]) => b - a)
    .reduce((text, [at, inserted]) => text.slice(0, at) + inserted + text.slice(at), code)
}

function* editsOf(node, file, name) {
  const own = node.id?.name ?? node.key?.name ?? name
  if (node.type?.includes('Function'))
    yield* marksOf(node.body, `globalThis.__w?.(${JSON.stringify(`${file}#${own}`)})`)
  for (const child of Object.values(node)) if (child && typeof child === 'object') yield* editsOf(child, file, own)
}

function marksOf({ type, start, end }, mark) {
  if (type === 'BlockStatement') return [[start + 1, `${mark};`]]
  return [
    [start, `(${mark},(`],
    [end, '))'],
  ]
}

const marks = {
  name: 'marks',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\/(lib|functions)\/.*\.ts$/ }, ({ path }) => ({ contents: marked(path), loader: 'js' })),
}

const folder = mkdtempSync(join(tmpdir(), 'gatehouse-walk-'))
async function handlerOf(file) {
  const { outputFiles } = await build({
    ...{ entryPoints: [file], bundle: true, format: 'esm', platform: 'node', target: 'node24', write: false },
    ...{ mainFields: ['module', 'main'], conditions: ['module', 'import'], plugins: [marks], logLevel: 'silent' },
    define: { CONSOLE_MANIFEST: '"{}"', ERROR_PAGE_MANIFEST: '"{}"', CONSOLE_ASSETS: '"{}"' },
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  })
  const bundle = join(folder, `${randomUUID()}.mjs`)
  writeFileSync(bundle, outputFiles[0].contents)
  return (await import(bundle)).start()
}

const requests = []
const aws = createServer((request, response) => {
  requests.push(request.headers['x-amz-target'])
  response.setHeader('content-type', 'application/x-amz-json-1.0').end('{}')
}).listen(0, '127.0.0.1')
await once(aws, 'listening')
const endpoint = `http://127.0.0.1:${aws.address().port}`
const queues = { RETRY_QUEUE_URL: `${endpoint}/1/retry`, REPLAY_QUEUE_URL: `${endpoint}/1/replay` }
Object.assign(process.env, LAMBDA_ENVIRONMENT, queues, { AWS_ENDPOINT_URL: endpoint, CONSOLE: '' })

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
function token() {
  const iat = Math.floor(Date.now() / 1000)
  const claims = { sub: 'ada', uid: 'ada', role: 'ROLE_ADMIN', iss: 'gatehouse', aud: 'gatehouse', jti: randomUUID() }
  const signed = `${encoded({ alg: 'HS512', typ: 'JWT', kid: 'test' })}.${encoded({ ...claims, iat, exp: iat + 3600 })}`
  return `${signed}.${createHmac('sha512', Buffer.alloc(64, 7)).update(signed).digest('base64url')}`
}
const get = (path, bearer) => () => lambdaEvent('GET', path, { headers: { authorization: `Bearer ${bearer}` } })
const stripe = (last) => () => {
  const [time, id] = [Math.floor(Date.now() / 1000), randomUUID()]
  const intent = { id: `pi_${id}`, amount: 1099, currency: 'eur' }
  const event = { id: `evt_${id}`, type: 'payment_intent.succeeded', created: time, data: { object: intent } }
  const body = JSON.stringify(event)
  const signature = createHmac('sha256', STRIPE_SECRET).update(`${time}.${body}`).digest('hex')
  const headers = { 'stripe-signature': `t=${time},v1=${last(signature)}`, 'content-type': 'application/json' }
  return lambdaEvent('POST', '/webhooks/stripe', { headers, body })
}
const forged = (hex) => hex.slice(0, -1) + (hex.endsWith('0') ? '1' : '0')

const CALLS = {
  bearer: ['api/admin-secure', get('/api/admin/secure', token())],
  'bad token': ['api/admin-secure', get('/api/admin/secure', 'x.y.z')],
  stripe: ['webhooks/stripe', stripe((hex) => hex)],
  'forged stripe': ['webhooks/stripe', stripe(forged)],
  events: ['api/webhook-events', get('/api/webhooks/events', token())],
  refusals: ['api/webhook-refusals', get('/api/webhooks/refusals', token())],
  sources: ['api/webhook-sources', get('/api/webhooks/sources', token())],
  payments: ['api/payments', get('/api/payments', token())],
  scan: ['jobs/retry-scan', () => ({})],
}

const wish = process.argv[2]
const rows = {}
const { log, error, warn, info } = console
for (const [name, [file, event]] of Object.entries(CALLS)) {
  if (wish !== undefined && wish !== name) continue
  const call = invoker(await handlerOf(`functions/${file}.ts`))
  Object.assign(console, { log() {}, error() {}, warn() {}, info() {} })
  await call(event())
  const path = []
  requests.length = 0
  globalThis.__w = (mark) => path.push(mark)
  const { statusCode } = (await call(event())) ?? {}
  globalThis.__w = undefined
  Object.assign(console, { log, error, warn, info })
  const way = path.map((mark) => mark.replace(/#.*/, ''))
  const files = new Set(way)
  const lines = [...files].reduce((sum, one) => sum + readFileSync(one, 'utf8').split('\n').length - 1, 0)
  const visits = way.filter((one, index) => one !== way[index - 1]).length
  const entered = { functions: path.length, files: files.size, lines, visits }
  rows[name] = { status: statusCode, ...entered, requests: requests.length }
  if (wish !== undefined) console.log(path.join('\n'))
}
console.table(rows)
aws.close()
rmSync(folder, { recursive: true })
process.exit()
