import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { globSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { cwd, env, execPath, getuid } from 'node:process'
import { setTimeout } from 'node:timers/promises'
import { canConnect } from '../../localstack/stack/parts.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { freePort } from '../../test/support/free-port.ts'
import { freeOffset, startStack } from '../../test/support/stack.ts'
import { isInstalled } from './meter.ts'

type Headers = Readonly<Record<string, string>>

/** What receives, keeps and hands on, while it runs. */
export interface Running {
  readonly url: string
  readonly headersOf: (body: string) => Headers
  /** CPU seconds of all its processes. */
  readonly cpu: () => number
  /** Kills all its processes with SIGKILL. */
  readonly kill: () => Promise<void>
}

export interface System {
  readonly name: string
  /** Lines that its user writes. */
  readonly lines: number
  readonly start: () => Promise<Running>
}

const PEERS = `${import.meta.dirname}/peers/job`
const SECRET = 'whsec_bench'

function byStripe(secret: string) {
  return (body: string): Headers => {
    const time = Math.floor(Date.now() / 1000)
    const signature = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex')
    return { 'stripe-signature': `t=${time},v1=${signature}` }
  }
}

const byGithub = (body: string): Headers => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
})

/** The systems that are installed, each set up as its documentation says. @param target where they hand events on to */
export async function systems(folder: string, target: string): Promise<readonly System[]> {
  const [port, store] = [String(await freePort()), String(await freePort())]
  const environment = { PORT: port, STORE_PORT: store, STRIPE_SECRET: SECRET, TARGET: target, NODE_ENV: 'production' }
  const url = `http://127.0.0.1:${port}`
  const children: ChildProcess[] = []
  // A failure must leave none of them behind.
  process.once('exit', () => {
    for (const child of children) child.kill('SIGKILL')
  })
  const run = (command: string, args: readonly string[]) => {
    const variables = { ...env, ...environment }
    const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'], env: variables, cwd: tmpdir() })
    children.push(child)
    return child
  }

  /** An endpoint and a worker of Node before a store. */
  function peer(name: string, files: readonly string[], { start, isUp }: Store): System {
    return {
      name,
      lines: linesOf(...files.map((file) => `${PEERS}/${file}.mjs`)),
      async start() {
        const children = [run(...start)]
        await until(isUp)
        for (const part of ['server', 'worker']) children.push(run(execPath, [`${PEERS}/${files[0]}.mjs`, part]))
        await until(() => canConnect(Number(port)))
        return { url: `${url}/webhooks/stripe`, headersOf: byStripe(SECRET), ...processesOf(children) }
      },
    }
  }

  const redis = () => redisIn(mkdtempSync(join(folder, 'redis-')), store)
  const postgres = () => postgresIn(mkdtempSync(join(folder, 'postgres-')), store)
  const webhook: System = {
    name: 'adnanh/webhook',
    lines: linesOf(`${PEERS}/webhook.json`),
    async start() {
      const child = run('webhook', ['-hooks', `${PEERS}/webhook.json`, '-ip', '127.0.0.1', '-port', port])
      await until(() => canConnect(Number(port)))
      return { url: `${url}/hooks/stripe`, headersOf: byGithub, ...processesOf([child]) }
    },
  }
  return [
    await gatehouse(folder, target),
    ...(isInstalled('redis-server') ? [peer('Express, BullMQ, Redis with AOF', ['bullmq', 'express'], redis())] : []),
    ...(isInstalled('psql')
      ? [peer('Express, graphile-worker', ['graphile-worker', ...WITH_POSTGRES], postgres())]
      : []),
    ...(isInstalled('psql') ? [peer('Express, pg-boss', ['pg-boss', ...WITH_POSTGRES], postgres())] : []),
    ...(isInstalled('webhook') ? [webhook] : []),
  ]
}

const WITH_POSTGRES = ['express', 'postgres']

/** What a peer keeps its jobs in. */
interface Store {
  readonly start: readonly [command: string, args: readonly string[]]
  readonly isUp: () => boolean | Promise<boolean>
}

function redisIn(data: string, port: string): Store {
  const options = { port, bind: '127.0.0.1', dir: data, appendonly: 'yes', loglevel: 'warning' }
  return {
    start: ['redis-server', Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])],
    isUp: () => canConnect(Number(port)),
  }
}

/** PostgreSQL does not run as root. */
function postgresIn(data: string, port: string): Store {
  const [bin = ''] = globSync('/usr/lib/postgresql/*/bin')
  const isRoot = getuid?.() === 0
  const [command = '', ...args] = isRoot
    ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups']
    : ['env']
  if (isRoot) execFileSync('chown', ['postgres:postgres', data])
  execFileSync('chmod', ['755', join(data, '..')])
  const options = ['-D', data, '-A', 'trust', '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8']
  execFileSync(command, [...args, `${bin}/initdb`, ...options], { stdio: 'ignore', cwd: tmpdir() })
  const listening = ['-p', port, '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
  return {
    start: [command, [...args, `${bin}/postgres`, '-D', data, ...listening]],
    isUp: () => spawnSync(`${bin}/pg_isready`, ['-h', '127.0.0.1', '-p', port]).status === 0,
  }
}

async function gatehouse(folder: string, target: string): Promise<System> {
  const project = join(folder, 'gatehouse')
  copyProject(cwd(), project)
  const config = join(project, 'gatehouse.config.ts')
  writeFileSync(config, configOf(target))
  const environment = {
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: join(folder, 'data'),
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0',
  }
  return {
    name: 'gatehouse',
    lines: linesOf(config),
    async start() {
      const { ready, process: root, kill } = await startStack(environment, ['env', '-C', project])
      const headersOf = byStripe(ready.webhookSecrets['stripe'] ?? '')
      return { url: `${ready.http}/webhooks/stripe`, headersOf, cpu: processesOf([root]).cpu, kill }
    },
  }
}

function configOf(target: string): string {
  return `import { byStage, defineConfig } from 'gatehouse'

export default defineConfig({
  destinations: {
    crm: {
      to: 'http',
      url: byStage({ local: '${target}', default: 'https://crm.example.com/hooks' }),
      from: { stripe: ['**'] },
      retry: [1, 1, 2, 4, 8],
    },
  },
})
`
}

function linesOf(...files: readonly string[]): number {
  const written = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
  return files.flatMap(written).length
}

/** Clock ticks of a second (sysconf(3), `_SC_CLK_TCK`). */
const TICKS = 100

interface Process {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
}

function processesOf(roots: readonly ChildProcess[]): Pick<Running, 'cpu' | 'kill'> {
  const all = () => treeOf(roots.map(({ pid = 0 }) => pid))
  return {
    cpu: () => all().reduce((sum, { seconds }) => sum + seconds, 0),
    async kill() {
      for (const { pid } of all()) spawnSync('kill', ['-9', String(pid)])
      await until(() => all().length === 0)
    },
  }
}

/** These processes and all below them, each with its own time and that of its children that have ended. */
function treeOf(roots: readonly number[]): readonly Process[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(readProcess)
  const below = (pid: number): readonly Process[] =>
    all.filter(({ parent }) => parent === pid).flatMap((child) => [child, ...below(child.pid)])
  return [...all.filter(({ pid }) => roots.includes(pid)), ...roots.flatMap(below)]
}

/** proc_pid_stat(5). */
function readProcess(name: string): readonly Process[] {
  try {
    const text = readFileSync(`/proc/${name}/stat`, 'utf8')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + each, 0)
    return [{ pid: Number(name), parent: fields[1] ?? 0, seconds: ticks / TICKS }]
  } catch {
    return []
  }
}

/** Asks until it is so; what fails is not so. @throws Error after some milliseconds */
export async function until(holds: () => boolean | Promise<boolean>, patience = 120_000): Promise<void> {
  const end = performance.now() + patience
  while (
    !(await Promise.resolve()
      .then(holds)
      .catch(() => false))
  ) {
    if (performance.now() > end) throw new Error('it never was so')
    await setTimeout(50)
  }
}
