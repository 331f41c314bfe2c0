// Imported first by the processes of a service under test: writes down what its functions and its container ask of AWS.
import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import type { ClientRequest } from 'node:http'
import { argv, env } from 'node:process'
import { callsIn } from './aws-request.ts'
import { CONTAINER } from './recording.ts'
import { running } from './running.ts'

/** The runner of functions, which serverless-offline does not export. What loads them may still be replaced. */
const RUNNER = 'lambda/handler-runner/HandlerRunner.js'

const [, script = ''] = argv
const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const seen = new Set<string>()

/** Elsewhere than in the gateway a process is one function, or the container. */
const alone = /\/adapter\/(?:index\.mjs|main\.ts)$/.test(script) ? CONTAINER : env['AWS_LAMBDA_FUNCTION_NAME']

if (script.endsWith('/serverless.js')) await followFunctions()
subscribe('http.client.request.created', (message) => {
  const by = running.getStore() ?? alone
  if (by !== undefined) record(by, (message as { readonly request: ClientRequest }).request)
})

interface Runner {
  readonly default: {
    readonly prototype: { run(event: unknown, context: { readonly functionName: string }): Promise<unknown> }
  }
}

async function followFunctions(): Promise<void> {
  const { default: runner }: Runner = await import(new URL(RUNNER, import.meta.resolve('serverless-offline')).href)
  const { run } = runner.prototype
  runner.prototype.run = function (event, context) {
    return running.run(context.functionName, () => Reflect.apply(run, this, [event, context]))
  }
}

/** Writes down the calls of a request once its body is complete. */
function record(by: string, request: ClientRequest): void {
  const chunks: Uint8Array[] = []
  const { write, end } = request
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk as string))
  }
  request.write = (...given: readonly unknown[]) => {
    keep(given[0])
    return Reflect.apply(write, request, given)
  }
  request.end = (...given: readonly unknown[]) => {
    keep(given[0])
    const header = (name: string) => String(request.getHeader(name) ?? '')
    const sent = { authorization: header('authorization'), target: header('x-amz-target') }
    for (const call of callsIn({ ...sent, body: Buffer.concat(chunks).toString() })) {
      const line = JSON.stringify({ by: by.replace(/^gatehouse-\w+-/, ''), ...call })
      if (!seen.has(line)) appendFileSync(file, `${line}\n`)
      seen.add(line)
    }
    return Reflect.apply(end, request, given)
  }
}
