import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { cwd, env } from 'node:process'
import { text } from 'node:stream/consumers'
import { httpApi } from '../../../localstack/strict/gateway.ts'
import { invokeApi } from '../../../localstack/strict/invoke-api.ts'
import { type LambdaFunction, startLambda } from '../../../localstack/strict/lambda.ts'
import { rateOf } from '../../../localstack/strict/rate.ts'
import { startTracedQueue } from '../../../localstack/strict/traced-queue.ts'
import { copyProject } from '../copy-project.ts'
import { declaredRoutes } from '../declared-routes.ts'
import { callersOf } from '../lambda/callers.ts'
import { deploy } from '../lambda/deployment.ts'
import type { HttpRequest } from '../lambda/http-api.ts'
import { localEnvironment } from '../stack.ts'
import { CONCURRENCY, countedLambda } from './account.ts'
import { awsProxy } from './aws-proxy.ts'
import { CONFIG } from './config.ts'
import { observed } from './observed.ts'
import { drillQueues } from './queues.ts'

const STAGE = 'drills'
const SERVICE = `gatehouse-${STAGE}`
const CLOCK = resolve('test/support/drills/clock.ts')
const REDIRECT = resolve('test/support/drills/redirect.ts')

export type DrillStage = Awaited<ReturnType<typeof startDrillStage>>

const nameOf = (name: string) => `${SERVICE}-${name}`

/**
 * The packaged service on this machine, behind the rules of the strict stage, with a clock that drills turn on, and all that
 * CloudWatch would have been told of it.
 * @param folder an empty one
 */
export async function startDrillStage(folder: string) {
  const clock = await startClock(folder)
  const deployment = await deploy(STAGE, folder, {}, projectIn(folder))
  const { resources, aws, secretsManager, secrets } = deployment
  const store = await awsProxy(aws['AWS_ENDPOINT_URL_DYNAMODB'] ?? '')
  const sqs = await awsProxy(aws['AWS_ENDPOINT_URL_SQS'] ?? '')
  const logs = await awsProxy(aws['AWS_ENDPOINT_URL_CLOUDWATCH_LOGS'] ?? '')
  const traced = await startTracedQueue(sqs.url)
  const endpoints = {
    AWS_ENDPOINT_URL_DYNAMODB: store.url,
    AWS_ENDPOINT_URL_SQS: traced.url,
    AWS_ENDPOINT_URL_CLOUDWATCH_LOGS: logs.url,
  }
  const queues = drillQueues(aws, SERVICE, resources)
  const seen = observed(resources, SERVICE)

  async function asDeployed(name: string, others: Readonly<Record<string, string>> = {}): Promise<LambdaFunction> {
    const preloaded = { DRILL_CLOCK: clock.file, NODE_OPTIONS: `--import ${CLOCK} --import ${REDIRECT}` }
    const deployed = await deployment.deployed(name, { ...endpoints, ...preloaded, ...others })
    return { ...deployed, mayLoop: deployment.recursiveLoopOf(name) === 'Allow' }
  }

  const functions = new Map<string, LambdaFunction>()
  for (const name of deployment.functions) functions.set(nameOf(name), await asDeployed(name))
  const account = { concurrency: CONCURRENCY, print: seen.print }
  let lambda = startLambda(functions, account)
  const counted = countedLambda(() => lambda, traced.traceOf, seen)

  const { DefaultRouteSettings: speed } = seen.propertiesOf('HttpApiStage')
  const { ThrottlingRateLimit, ThrottlingBurstLimit } = speed as Readonly<Record<string, unknown>>
  const deployedSpeed = { perSecond: Number(ThrottlingRateLimit), burst: Number(ThrottlingBurstLimit) }
  let rate = rateOf(deployedSpeed, Date.now)
  const api = httpApi({
    routes: declaredRoutes(nameOf),
    lambda: { invoke: counted },
    rate: { take: () => rate.take() },
    log: seen.logAccess,
  })
  const invoking = invokeApi({ invoke: counted, stop: () => lambda.stop() })
  const [url, lambdaUrl] = [await addressOf(api), await addressOf(invoking)]
  const callers = callersOf(deployment, {
    get: async (name) => ({ invoke: (event) => counted(nameOf(name), event) }),
  })

  return {
    url,
    secrets,
    secretsManager,
    store,
    sqs,
    logs,
    queues,
    callers,
    lines: seen.lines,
    publish: seen.publish,
    propertiesOf: seen.propertiesOf,
    /** Takes a line of another log group. */
    note: (group: string, message: string) => void seen.lines.push({ group, stream: '', at: Date.now(), message }),
    /** Turns the clock on. */
    pass: clock.pass,
    /** What the alarm says now. */
    async state(suffix: string): Promise<'ALARM' | 'OK'> {
      for (const { name, depth, age } of await queues.states()) {
        seen.publish('AWS/SQS', 'ApproximateNumberOfMessagesVisible', { QueueName: name }, depth)
        seen.publish('AWS/SQS', 'ApproximateAgeOfOldestMessage', { QueueName: name }, age)
      }
      seen.publishThrottled(store)
      return seen.stateOf(suffix)
    },
    /** Calls a function as a rule of EventBridge does. */
    run: (name: string) => counted(nameOf(name), { source: 'aws.events', time: new Date().toISOString() }),
    /** Has a function read its queue once. @returns how many messages there were */
    work: (queue: string, name: string) => queues.work(queue, (event) => counted(nameOf(name), event)),
    /** Replaces functions by ones that were deployed otherwise, in new processes. */
    async redeploy(names: readonly string[], changes: Partial<LambdaFunction> = {}, others = {}): Promise<void> {
      for (const name of names) functions.set(nameOf(name), { ...(await asDeployed(name, others)), ...changes })
      const former = lambda
      lambda = startLambda(functions, account)
      await former.stop()
    },
    /** Sets requestRate and requestBurst, to those of the template unless they are given. */
    limit(speed = deployedSpeed): void {
      rate = rateOf(speed, Date.now)
    },
    ask: (request: HttpRequest, from?: string) => askAt(url, request, from),
    /** Runs a block of a page in a shell, as an operator of the stage would. */
    async shell(block: string, variables: Readonly<Record<string, string>> = {}): Promise<string> {
      const [, token = ''] = (await callers.bearer('ROLE_ADMIN'))[1].split(' ')
      return output(block, {
        ...aws,
        ...endpoints,
        AWS_ENDPOINT_URL_LAMBDA: lambdaUrl,
        AWS_ENDPOINT_URL_SECRETS_MANAGER: secretsManager.url,
        AWS_DEFAULT_REGION: aws['AWS_REGION'] ?? '',
        AWS_MAX_ATTEMPTS: '1',
        STAGE,
        URL: url,
        TOKEN: token,
        GATEHOUSE_TOKEN: token,
        AUDIT_KEYS: secrets['AUDIT_KEYS'] ?? '',
        ...variables,
      })
    },
    async stop(): Promise<void> {
      for (const server of [api, invoking]) {
        server.close()
        server.closeAllConnections()
      }
      await lambda.stop()
      clock.stop()
      for (const { stop } of [traced, store, sqs, logs, deployment]) await stop()
    },
  }
}

/** Turns the clock of this process, and of those that import it likewise. */
async function startClock(folder: string) {
  const file = join(folder, 'clock')
  writeFileSync(file, '0')
  env['DRILL_CLOCK'] = file
  await import(CLOCK)
  let ahead = 0
  return {
    file,
    pass(minutes: number): void {
      ahead += minutes * 60_000
      writeFileSync(file, String(ahead))
    },
    stop: () => delete env['DRILL_CLOCK'],
  }
}

function projectIn(folder: string): string {
  const project = join(folder, 'project')
  mkdirSync(project)
  copyProject(cwd(), project)
  writeFileSync(join(project, 'gatehouse.config.ts'), CONFIG)
  return project
}

async function addressOf(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** @param from an address of this machine */
async function askAt(
  url: string,
  { method = 'GET', target, headers = [], body = '' }: HttpRequest,
  from = '127.0.0.1',
) {
  const { port } = new URL(url)
  const outgoing = httpRequest({ host: '127.0.0.1', port, path: target, method, localAddress: from, agent: false })
  for (const [name, value] of headers) outgoing.appendHeader(name, value)
  outgoing.setHeader('content-length', Buffer.byteLength(body))
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  return { status: response.statusCode ?? 0, text: await text(response) }
}

/** Version 1 of `aws` takes the address of SQS from its options alone. */
const AWS =
  'aws() { if [ "$1" = sqs ]; then shift; set -- sqs --endpoint-url "$AWS_ENDPOINT_URL_SQS" "$@"; fi; command aws "$@"; }'

/** What a shell prints, errors as well; `/dev/stdout` of a socket cannot be opened. */
async function output(block: string, variables: Readonly<Record<string, string>>): Promise<string> {
  const PATH = `${resolve('node_modules/.bin')}:${env['PATH']}`
  const child = spawn('sh', ['-c', `${AWS}\n{ ${block}\n} 2>&1 | cat`], {
    env: { ...localEnvironment(variables), PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return text(child.stdout)
}
