import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type AccessLine, httpApi } from '../../localstack/strict/gateway.ts'
import { invokeApi, type LambdaFunction, startLambda } from '../../localstack/strict/lambda.ts'
import { type Rate, routesOf } from '../../localstack/strict/routes.ts'
import { LIMITS, type Limits } from '../../localstack/strict/rules.ts'
import { temporaryFolder } from './stack.ts'

/** Each function does one thing that the rules are about. */
const SOURCE = `
import { truncateSync, writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

const { pid, env } = process
const json = (body) => ({ statusCode: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

export const echo = async (event) => json(event)
/** Answers with what it is told to. */
export const given = async ({ body }) => JSON.parse(body)
export const raw = async () => 'plain'
export const large = async ({ rawQueryString }) => ({ statusCode: 200, body: 'x'.repeat(Number(rawQueryString)) })
export const thrower = async () => { throw new Error('secret') }
export const leaver = async () => process.exit(3)
let calls = 0
export const counter = async ({ rawQueryString }) => {
  calls += 1
  await setTimeout(Number(rawQueryString))
  return json({ pid, calls })
}
export const sleeper = () => setTimeout(60_000)
export const filler = async ({ rawQueryString }) => {
  const found = readdirSync(env.TMPDIR)
  writeFileSync(join(env.TMPDIR, 'file'), '')
  truncateSync(join(env.TMPDIR, 'file'), Number(rawQueryString))
  return json({ pid, found })
}
export const environment = async () => json(Object.keys(env))
`
const NAMES = [...SOURCE.matchAll(/^export const (\w+)/gm)].map(([, name = '']) => name)
const folder = temporaryFolder()

function functionsOf(changes: Partial<LambdaFunction>): ReadonlyMap<string, LambdaFunction> {
  const of = (name: string): LambdaFunction => ({
    name,
    handler: `index.${name}`,
    timeoutSeconds: 10,
    memoryMegabytes: 512,
    environment: {},
    folder: folder.path,
    mayLoop: false,
    ...changes,
  })
  return new Map(NAMES.map((name) => [name, of(name)]))
}

interface World {
  readonly changes?: Partial<LambdaFunction>
  readonly concurrency?: number
  readonly mostIdle?: number
  readonly limits?: Partial<Limits>
  readonly rate?: Rate
  readonly log?: (line: AccessLine) => void
}

export type StrictWorld = Awaited<ReturnType<typeof startStrict>>

const running: { stop(): unknown }[] = []
const UNLIMITED: Rate = { take: () => true }

/** An HTTP API and Lambda before functions of this file. */
export async function startStrict(given: World = {}) {
  const { changes = {}, concurrency = 100, mostIdle = 30, limits = {}, rate = UNLIMITED, log = () => {} } = given
  writeFileSync(join(folder.path, 'index.mjs'), SOURCE)
  const lambda = startLambda(functionsOf(changes), { concurrency, mostIdle, print: () => {} })
  const events = (name: string) =>
    [`ANY /${name}`, `POST /${name}`, `ANY /${name}/{id}`].map((httpApi) => ({ httpApi }))
  const routes = routesOf(NAMES.map((name) => ({ name, events: events(name) })))
  const api = httpApi({ routes, lambda, rate, log, limits: { ...LIMITS, ...limits } })
  const invoke = invokeApi(lambda)
  running.push(lambda, { stop: () => api.close() }, { stop: () => invoke.close() })
  return { lambda, ask: askAt(await portOf(api)), invoke: askAt(await portOf(invoke)) }
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

export async function stopStrict(): Promise<void> {
  for (const { stop } of running) await stop()
  folder.remove()
}

type Headers = readonly (readonly [string, string])[]

function askAt(port: number) {
  return async (path: string, { headers = [], body }: { headers?: Headers; body?: string | Buffer } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const method = body === undefined ? 'GET' : 'POST'
    const sent = [
      'Host',
      'api.example',
      ...(body === undefined ? [] : ['Content-Length', `${Buffer.byteLength(body)}`]),
    ]
    httpRequest({ host: '127.0.0.1', port, path, method, headers: [...sent, ...headers.flat()] }, resolve)
      .on('error', reject)
      .end(body)
    const response = await promise
    const answer = await text(response)
    const isJson = response.headers['content-type']?.includes('json') && /^[[{]/.test(answer)
    return {
      status: response.statusCode,
      headers: response.headers,
      text: answer,
      json: isJson ? JSON.parse(answer) : undefined,
    }
  }
}
