import { existsSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { basename, dirname, join } from 'node:path'
import process, { cpuUsage, env, exit } from 'node:process'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'
import { format, inspect } from 'node:util'

/**
 * What a process of a function runs: loads the function, then asks Lambda for an event, calls the function and posts its
 * result, again and again (Lambda developer guide, "Using the Lambda runtime API for custom runtimes"). It is JavaScript,
 * since Node would add 100 ms to each start to remove types.
 */

/** @typedef {(event: unknown, context: object) => unknown} Handler */
/** @typedef {{ errorType: string, errorMessage: string, trace: string[] }} Report */

const EXTENSIONS = ['.mjs', '.js', '.cjs']

/** "Using Lambda functions logs": each entry has the time, the id of the call and the level. */
const LEVELS = /** @type {const} */ ({
  trace: 'TRACE',
  debug: 'DEBUG',
  log: 'INFO',
  info: 'INFO',
  warn: 'WARN',
  error: 'ERROR',
})

// It keeps its connection: a frozen process cannot notice that one was closed.
const agent = new Agent({ keepAlive: true })

/** @type {string | undefined} */
let callId

for (const [method, level] of Object.entries(LEVELS)) {
  console[/** @type {keyof typeof LEVELS} */ (method)] = (...given) => print(level, format(...given))
}
process.on('uncaughtException', (error) => end('Uncaught Exception', described(error)))
process.on('unhandledRejection', (reason) => {
  const { errorMessage, trace } = described(reason)
  const message = reason instanceof Error ? `${reason}` : errorMessage
  const report = { errorType: 'Runtime.UnhandledPromiseRejection', errorMessage: message, trace }
  return end('Unhandled Promise Rejection', report)
})

try {
  const handler = await load(env['LAMBDA_TASK_ROOT'] ?? '', env['_HANDLER'] ?? '')
  for (;;) await serve(handler)
} catch (error) {
  await end('Uncaught Exception', described(error))
}

/** @param {string} root @param {string} name as `folder/file.export` @returns {Promise<Handler>} */
async function load(root, name) {
  const [file = '', ...members] = basename(name).split('.')
  if (members.length === 0) throw named('Runtime.MalformedHandlerName', new Error('Bad handler'))
  const path = join(root, dirname(name), file)
  const extension = EXTENSIONS.find((one) => existsSync(path + one))
  if (!extension) throw named('Runtime.ImportModuleError', new Error(`Cannot find module '${file}'`))
  const module = await import(pathToFileURL(path + extension).href)
  const handler = members.reduce((holder, member) => holder?.[member], module)
  if (typeof handler === 'function') return handler
  throw named('Runtime.HandlerNotFound', new Error(`${name} is undefined or not a function`))
}

/** @param {Handler} handler */
async function serve(handler) {
  const { headers, body } = await call('GET', 'invocation/next')
  callId = `${headers['lambda-runtime-aws-request-id']}`
  env['_X_AMZN_TRACE_ID'] = `${headers['lambda-runtime-trace-id'] ?? ''}`
  try {
    const result = await handler(JSON.parse(body), contextOf(callId, headers))
    await call('POST', `invocation/${callId}/response`, JSON.stringify(result) ?? 'null')
  } catch (error) {
    const report = described(error)
    log('Invoke Error', report)
    await call('POST', `invocation/${callId}/error`, JSON.stringify(report))
  }
  callId = undefined
}

/**
 * "Using the Lambda context object to retrieve Node.js function information", without what is of mobile applications.
 * @param {string} awsRequestId @param {import('node:http').IncomingHttpHeaders} headers
 */
function contextOf(awsRequestId, headers) {
  const deadline = Number(headers['lambda-runtime-deadline-ms'])
  return {
    awsRequestId,
    invokedFunctionArn: headers['lambda-runtime-invoked-function-arn'],
    functionName: env['AWS_LAMBDA_FUNCTION_NAME'],
    functionVersion: env['AWS_LAMBDA_FUNCTION_VERSION'],
    memoryLimitInMB: env['AWS_LAMBDA_FUNCTION_MEMORY_SIZE'],
    logGroupName: env['AWS_LAMBDA_LOG_GROUP_NAME'],
    logStreamName: env['AWS_LAMBDA_LOG_STREAM_NAME'],
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  }
}

/** Reports an error after which the process cannot go on. @param {string} kind @param {Report} report */
async function end(kind, report) {
  log(kind, report)
  const path = callId === undefined ? 'init/error' : `invocation/${callId}/error`
  await call('POST', path, JSON.stringify(report)).catch(() => {})
  exit(1)
}

/** "Lambda function errors in Node.js". @param {unknown} thrown @returns {Report} */
function described(thrown) {
  if (!(thrown instanceof Error)) {
    return { errorType: typeof thrown, errorMessage: typeof thrown === 'string' ? thrown : inspect(thrown), trace: [] }
  }
  const { name, message, stack = '' } = thrown
  return { errorType: name, errorMessage: message, trace: stack.split('\n') }
}

/** @param {string} name @param {Error} error */
function named(name, error) {
  error.name = name
  return error
}

/** @param {string} kind @param {Report} report */
function log(kind, { trace: stack, ...report }) {
  print('ERROR', `${kind}\t${JSON.stringify({ ...report, stack })}`)
}

/** @param {string} level @param {string} line */
function print(level, line) {
  process.stdout.write(`${[new Date().toISOString(), `${callId}`, level, line].join('\t')}\n`)
}

/**
 * @param {'GET' | 'POST'} method @param {string} path @param {string} [body]
 * @returns {Promise<{ headers: import('node:http').IncomingHttpHeaders, body: string }>}
 */
async function call(method, path, body) {
  const [host, port] = (env['AWS_LAMBDA_RUNTIME_API'] ?? '').split(':')
  const { user, system } = cpuUsage()
  const headers = {
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
    ...(path.endsWith('error') && { 'lambda-runtime-function-error-type': 'Unhandled' }),
    // For benchmarks: of all threads since the start of the process, in microseconds.
    'x-cpu-usage': user + system,
  }
  /** @type {PromiseWithResolvers<import('node:http').IncomingMessage>} */
  const { promise, resolve, reject } = Promise.withResolvers()
  request({ host, port, agent, method, path: `/2018-06-01/runtime/${path}`, headers }, resolve)
    .on('error', reject)
    .end(body)
  const response = await promise
  return { headers: response.headers, body: await text(response) }
}
