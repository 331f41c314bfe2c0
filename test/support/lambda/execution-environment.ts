import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { type Result, startRuntimeApi } from './runtime-api.ts'

/** A function as it was deployed. */
export interface DeployedFunction {
  readonly name: string
  /** As in `_HANDLER`. */
  readonly handler: string
  readonly timeoutSeconds: number
  readonly memoryMegabytes: number
  readonly environment: Readonly<Record<string, string>>
  /** Where its zip was unpacked. */
  readonly folder: string
}

/** One process of a function, which handles one event after the other. */
export interface ExecutionEnvironment {
  /** From the start of the process to its readiness for an event, in milliseconds. */
  readonly loadTime: number
  /** @param trace the chain of calls that the event is part of */
  invoke(event: unknown, trace?: string): Promise<Result>
  stop(): Promise<void>
}

const CLIENT = join(import.meta.dirname, 'aws-lambda-ric/index.mjs')
const NO_NATIVE_CODE = join(import.meta.dirname, 'no-native-code.cjs')

/** Lambda developer guide, "Defined runtime environment variables", besides those of credentials. */
function platformOf({ name, handler, memoryMegabytes, folder }: DeployedFunction): Record<string, string> {
  return {
    _HANDLER: handler,
    AWS_DEFAULT_REGION: 'eu-central-1',
    AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: `${memoryMegabytes}`,
    AWS_LAMBDA_FUNCTION_NAME: name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: '2026/01/01/[$LATEST]0123456789abcdef0123456789abcdef',
    AWS_LAMBDA_NODEJS_USE_ALTERNATIVE_CLIENT_1: 'true',
    AWS_REGION: 'eu-central-1',
    LAMBDA_TASK_ROOT: folder,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
  }
}

/**
 * Starts a function's artifact under AWS's own runtime client, with nothing of this process's environment.
 * @throws Error with what the function reports, or prints, when it cannot be loaded
 */
export async function startFunction(deployed: DeployedFunction): Promise<ExecutionEnvironment> {
  const api = await startRuntimeApi(deployed.name, deployed.timeoutSeconds)
  const start = performance.now()
  const child = spawn(execPath, ['--require', NO_NATIVE_CODE, CLIENT], {
    cwd: deployed.folder,
    env: { ...platformOf(deployed), ...deployed.environment, AWS_LAMBDA_RUNTIME_API: api.address },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const log: string[] = []
  for (const stream of [child.stdout, child.stderr]) createInterface(stream).on('line', (line) => log.push(line))
  const ended = once(child, 'close')
  const gone = ended.then(() => Promise.reject(new Error(`${deployed.name} ended:\n${log.join('\n')}`)))
  gone.catch(() => {})

  async function stop(): Promise<void> {
    child.kill('SIGKILL')
    await ended
    await api.close()
  }

  try {
    await Promise.race([api.loaded, gone])
  } catch (error) {
    await stop()
    throw error
  }
  return {
    loadTime: performance.now() - start,
    invoke: (...given) => Promise.race([api.invoke(...given), gone]),
    stop,
  }
}
