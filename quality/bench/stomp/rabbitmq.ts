import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { env } from 'node:process'
import { canConnect } from '../../../localstack/stack/parts.ts'
import { freePort } from '../../../test/support/free-port.ts'
import { until } from '../meter.ts'
import type { Broker } from './client.ts'

/** Where Debian keeps the scripts; those in the PATH want to be another user. */
const SCRIPTS = '/usr/lib/rabbitmq/lib/rabbitmq_server-*/sbin'

/** Whether it is installed; a line that says so where it is not. */
export function hasRabbitMq(): boolean {
  const isThere = globSync(SCRIPTS).length > 0
  if (!isThere) console.log('rabbitmq: skipped, because it is not installed\n')
  return isThere
}

/** Runs it with web_stomp for as long as the work takes: a node in a temporary folder, on 127.0.0.1 only. */
export async function runRabbitMq<T>(work: (broker: Broker) => Promise<T>): Promise<T> {
  const [scripts] = globSync(SCRIPTS)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-rabbitmq-'))
  const [port, epmdPort] = [await freePort(), await freePort()]
  const settings = settingsOf(folder, [port, epmdPort, await freePort()])
  // A daemon of its own would outlive it.
  const epmd = spawn('epmd', ['-address', '127.0.0.1', '-port', `${epmdPort}`], { stdio: 'ignore' })
  const script = `ulimit -n $(ulimit -Hn); exec ${scripts}/rabbitmq-server`
  const server = spawn('sh', ['-c', script], { env: settings, stdio: 'ignore' })
  // Where the bench itself breaks, too.
  const endBoth = () => [server, epmd].forEach((child) => void child.kill())
  process.once('exit', endBoth)
  try {
    await until(() => canConnect(port))
    return await work({ port, pid: server.pid ?? 0 })
  } finally {
    for (const child of [server, epmd]) if (child.kill()) await once(child, 'exit')
    process.off('exit', endBoth)
    rmSync(folder, { recursive: true, force: true })
  }
}

function settingsOf(folder: string, [port, epmdPort, distributionPort]: readonly number[]): NodeJS.ProcessEnv {
  const configuration = [
    'listeners.tcp = none',
    'stomp.listeners.tcp = none',
    `web_stomp.tcp.listener = 127.0.0.1:${port}`,
    // It hangs up on who says nothing for a minute.
    'web_stomp.ws_opts.idle_timeout = 3600000',
  ]
  writeFileSync(join(folder, 'rabbitmq.conf'), `${configuration.join('\n')}\n`)
  writeFileSync(join(folder, 'enabled_plugins'), '[rabbitmq_web_stomp].\n')
  return {
    PATH: env['PATH'],
    HOME: folder,
    ERL_EPMD_ADDRESS: '127.0.0.1',
    ERL_EPMD_PORT: `${epmdPort}`,
    RABBITMQ_NODENAME: 'bench@localhost',
    RABBITMQ_DIST_PORT: `${distributionPort}`,
    RABBITMQ_CONF_ENV_FILE: join(folder, 'none'),
    RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq.conf'),
    RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
    RABBITMQ_MNESIA_BASE: folder,
    RABBITMQ_LOG_BASE: folder,
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-kernel inet_dist_use_interface {127,0,0,1}',
    // The script becomes the server in place of watching over it.
    RUNNING_UNDER_SYSTEMD: 'true',
  }
}
