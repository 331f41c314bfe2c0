import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:http2'
import { execPath } from 'node:process'
import { createInterface } from 'node:readline'
import { type AdapterProcess, NOWHERE, startAdapter } from '../../../test/support/adapter-process.ts'
import type { DrillStage } from '../../../test/support/drills/stage.ts'
import { localEnvironment } from '../../../test/support/stack.ts'
import { type Drill, repeat } from './drill.ts'

/** What the load balancer waits for an answer; there it is five seconds. */
const PATIENCE_MS = 1000

interface TargetGroup {
  readonly HealthCheckPath: string
  readonly Matcher: Readonly<Record<string, string>>
}

let adapter: AdapterProcess | undefined

/** Ends the process, if there is one. */
export function stopAdapter(): void {
  adapter?.child.kill('SIGKILL')
}

async function start(stage: DrillStage): Promise<void> {
  adapter = await startAdapter({ ...NOWHERE, JWT_KEYS: stage.secrets['JWT_KEYS'] ?? '', BASE_URL: stage.url })
}

/** A task without a secret ends, and says what it lacks. */
async function startInVain(stage: DrillStage): Promise<void> {
  const env = localEnvironment({ ...NOWHERE, BASE_URL: stage.url, GRPC_PORT: '0', WS_PORT: '0' })
  const child = spawn(execPath, ['dist/adapter/index.mjs'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => stage.note('/gatehouse/drills/adapter', line))
  }
  await once(child, 'close')
}

const httpOf = (ws = '') => ws.replace(/^ws(.*)\/ws$/, 'http$1')

async function isHttpHealthy({ HealthCheckPath: path, Matcher }: TargetGroup): Promise<boolean> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const response = await fetch(`${httpOf(adapter?.ws)}${path}`, { signal }).catch(() => undefined)
  return String(response?.status) === Matcher['HttpCode']
}

async function isGrpcHealthy({ HealthCheckPath: path, Matcher }: TargetGroup): Promise<boolean> {
  const session = connect(`http://${adapter?.grpc}`)
  session.on('error', () => {})
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const headers = { ':method': 'POST', ':path': path, 'content-type': 'application/grpc', te: 'trailers' }
    const call = session.request(headers, { signal })
    const trailers = once(call, 'trailers', { signal })
    // A message without fields asks for the whole server.
    call.resume().end(Buffer.alloc(5))
    const [{ 'grpc-status': status }] = await trailers
    return status === Matcher['GrpcCode']
  } catch {
    return false
  } finally {
    session.destroy()
  }
}

/** What the load balancer does and publishes in a minute. */
async function minute(stage: DrillStage): Promise<void> {
  stage.pass(1)
  const probes = { AdapterGrpcTargets: isGrpcHealthy, AdapterWebSocketTargets: isHttpHealthy }
  for (const [id, probe] of Object.entries(probes)) {
    const isHealthy = await probe(stage.propertiesOf(id) as unknown as TargetGroup)
    const dimensions = {
      LoadBalancer: 'AdapterLoadBalancer.LoadBalancerFullName',
      TargetGroup: `${id}.TargetGroupFullName`,
    }
    stage.publish('AWS/ApplicationELB', 'HealthyHostCount', dimensions, Number(isHealthy))
    stage.publish('AWS/ApplicationELB', 'UnHealthyHostCount', dimensions, Number(!isHealthy))
  }
}

export const ADAPTER: readonly Drill[] = [
  {
    alarm: 'adapter-unhealthy',
    fault: 'its task is gone, and none starts for lack of a secret',
    async works(stage) {
      await start(stage)
      await repeat(5, () => minute(stage))
    },
    async breaks(stage) {
      stopAdapter()
      await startInVain(stage)
      await repeat(5, () => minute(stage))
      return { ADAPTER: httpOf(adapter?.ws) }
    },
    finds: [/JWT_KEYS: must be set/],
    shows: [/^000$/m],
    async mends(stage) {
      await start(stage)
      await minute(stage)
    },
  },
]
