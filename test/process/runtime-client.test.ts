import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { type ExecutionEnvironment, startFunction } from '../../localstack/strict/execution-environment.ts'
import { temporaryFolder } from '../support/stack.ts'

const folder = temporaryFolder()
const started: ExecutionEnvironment[] = []
const ID = '[0-9a-f-]{36}'

afterEach(async () => {
  for (const environment of started.splice(0)) await environment.stop()
})
afterAll(() => folder.remove())

/** A function with this source, and what it prints. */
async function functionOf(source: string, { file = 'index.mjs', handler = 'index.handler' } = {}) {
  const lines: string[] = []
  const root = join(folder.path, `${Math.random()}`)
  mkdirSync(join(root, 'dist'), { recursive: true })
  writeFileSync(join(root, file), source)
  const deployed = { name: 'f', handler, timeoutSeconds: 10, memoryMegabytes: 512, environment: {}, folder: root }
  const environment = await startFunction(deployed, (line) => lines.push(line))
  started.push(environment)
  return { environment, lines }
}

async function payloadOf(source: string, event: unknown = {}, options?: Parameters<typeof functionOf>[1]) {
  const { environment, lines } = await functionOf(source, options)
  const { isError, payload } = await environment.invoke(event)
  return { environment, lines, isError, payload: JSON.parse(payload) }
}

describe('a result of a function is', () => {
  it.each([
    ['what an ES module returns', 'export const handler = async (event) => event', {}, { a: [1] }],
    [
      'what CommonJS returns',
      'exports.handler = async (event) => event',
      { file: 'dist/f.cjs', handler: 'dist/f.handler' },
      { a: [1] },
    ],
    ['what a nested export returns', 'export const a = { b: async () => 1 }', { handler: 'index.a.b' }, 1],
    ['null for undefined', 'export const handler = async () => {}', {}, null],
  ])('%s', async (_, source, options, expected) => {
    expect(await payloadOf(source, { a: [1] }, options)).toMatchObject({ isError: false, payload: expected })
  })
})

// Lambda developer guide, "Lambda function errors in Node.js" and "Using Lambda functions logs": the forms.
describe('the error of a call', () => {
  it.each([
    ['that is thrown', 'throw new TypeError("no")', 'TypeError', 'no', 'Invoke Error'],
    ['that is no Error', 'throw "no"', 'string', 'no', 'Invoke Error'],
    [
      'that nothing catches',
      'setTimeout(() => { throw new RangeError("late") }); await new Promise(() => setTimeout(() => {}, 9000))',
      'RangeError',
      'late',
      'Uncaught Exception',
    ],
    [
      'of a promise that nothing awaits',
      'Promise.reject(new Error("lost")); await new Promise(() => setTimeout(() => {}, 9000))',
      'Runtime.UnhandledPromiseRejection',
      'Error: lost',
      'Unhandled Promise Rejection',
    ],
  ])('%s has type, message and trace, and is a line of the log', async (_, body, errorType, errorMessage, kind) => {
    const { isError, payload, lines } = await payloadOf(`export const handler = async () => { ${body} }`)
    expect({ isError, payload }).toEqual({
      isError: true,
      payload: { errorType, errorMessage, trace: expect.any(Array) },
    })
    await vi.waitUntil(() => lines.length > 0)
    expect(lines[0]).toMatch(new RegExp(`^\\S+Z\\t${ID}\\tERROR\\t${kind}\\t{"errorType":"${errorType}",.*"stack":\\[`))
  })

  it('ends the process if nothing caught it, and only then', async () => {
    const source = `export const handler = async (how) => {
      if (how === 'thrown') throw new Error('thrown')
      setTimeout(() => { throw new Error('late') })
      await new Promise((resolve) => setTimeout(resolve, 9000))
    }`
    const { environment } = await payloadOf(source, 'thrown')
    expect(environment.isAlive()).toBe(true)
    await environment.invoke('late')
    await vi.waitUntil(() => !environment.isAlive())
  })
})

describe('a function that cannot be loaded', () => {
  it.each([
    ['throws', 'throw new Error("no setting")', 'index.handler', 'Error', 'no setting'],
    ['is not there', '', 'other.handler', 'Runtime.ImportModuleError', "Cannot find module 'other'"],
    [
      'does not export its handler',
      'export const other = 1',
      'index.handler',
      'Runtime.HandlerNotFound',
      'index.handler',
    ],
    ['has a name without an export', '', 'index', 'Runtime.MalformedHandlerName', 'Bad handler'],
  ])('and %s reports the cause as its init error', async (_, source, handler, errorType, message) => {
    const refused = functionOf(source, { handler })
    await expect(refused).rejects.toThrow(`"errorType":"${errorType}"`)
    await expect(refused).rejects.toThrow(message)
  })
})

describe('a call', () => {
  it('has the context and the trace that Lambda sent', async () => {
    const { payload } = await payloadOf(`export const handler = async (event, context) => ({
      ...context, left: context.getRemainingTimeInMillis(), trace: process.env._X_AMZN_TRACE_ID })`)
    expect(payload).toMatchObject({
      awsRequestId: expect.stringMatching(new RegExp(`^${ID}$`)),
      functionName: 'f',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:f',
      memoryLimitInMB: '512',
      trace: expect.stringMatching(/^Root=1-/),
    })
    expect(payload.left).toBeGreaterThan(0)
    expect(payload.left).toBeLessThanOrEqual(10_000)
  })

  it('prints what it writes to the console with time, id and level', async () => {
    const { lines } = await payloadOf('export const handler = async () => console.warn("a %s", 1)')
    await vi.waitUntil(() => lines.length > 0)
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^\\S+Z\\t${ID}\\tWARN\\ta 1$`))])
  })
})
