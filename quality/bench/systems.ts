import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process, { cwd, env, execPath, getuid } from 'node:process'
import { canConnect } from '../../localstack/stack/parts.ts'
import { copyProject } from '../../test/support/copy-project.ts'
import { freePort } from '../../test/support/free-port.ts'
import { freeOffset, startStack } from '../../test/support/stack.ts'
import { byGithub, byStripe, type Signer } from './calls.ts'
import { isInstalled, until } from './meter.ts'
import { shareOfFunctions } from './profile.ts'

/** What receives, keeps and hands on, while it runs. */
export interface Running {
  readonly url: string
  readonly sign: Signer
  /** CPU seconds of all its processes. */
  readonly cpu: () => number
  /** Kills all its processes with SIGKILL. */
  readonly kill: () => Promise<void>
  /** Of ours: CPU seconds of the functions alone for some work. */
  readonly ofFunctions?: (work: () => Promise<void>) => Promise<number>
}

export interface System {
  readonly name: string
  /** Lines that its user writes. */
  readonly lines: number
  readonly start: () => Promise<Running>
}

const PEERS = `${import.meta.dirname}/peers/job`
const SECRET = 'whsec_bench'

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
      lines: linesOf(...[...files, 'express', '../shared/receiver'].map((file) => `${PEERS}/${file}.mjs`)),
      async start() {
        const children = [run(...start)]
        await until(isUp)
        for (const part of ['server', 'worker']) children.push(run(execPath, [`${PEERS}/${files[0]}.mjs`, part]))
        await until(() => canConnect(Number(port)))
        return { url: `${url}/webhooks/stripe`, sign: byStripe(SECRET), ...processesOf(children) }
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
      return { url: `${url}/hooks/stripe`, sign: byGithub(SECRET), ...processesOf([child]) }
    },
  }
  const all: readonly (readonly [command: string, peer: () => System])[] = [
    ['redis-server', () => peer('Express, BullMQ, Redis with AOF', ['bullmq'], redis())],
    ['psql', () => peer('Express, graphile-worker', ['graphile-worker', 'postgres'], postgres())],
    ['psql', () => peer('Express, pg-boss', ['pg-boss', 'postgres'], postgres())],
    ['webhook', () => webhook],
  ]
  const installed = all.flatMap(([command, of]) => (isInstalled(command) ? [of()] : []))
  return [await gatehouse(folder, target), ...installed]
}

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
  const inspector = await freePort()
  const environment = {
    NODE_OPTIONS: `--inspect-port=${inspector}`,
    PORT_OFFSET: String(await freeOffset()),
    DATA_DIR: join(folder, 'data'),
    WEBHOOK_SECURITY_RATE_LIMIT_PER_MINUTE: '0',
  }
  return {
    name: 'gatehouse',
    lines: linesOf(config),
    async start() {
      const { ready, process: root, parts, kill } = await startStack(environment, ['env', '-C', project])
      const gateway = parts().filter(({ command }) => command.includes('engine-ahead'))
      return {
        url: `${ready.http}/webhooks/stripe`,
        sign: byStripe(ready.webhookSecrets['stripe'] ?? ''),
        cpu: processesOf([root]).cpu,
        kill,
        async ofFunctions(work) {
          const { cpu } = processesOf(gateway)
          const before = cpu()
          const share = await shareOfFunctions(gateway[0]?.pid ?? 0, inspector, work)
          return (cpu() - before) * share
        },
      }
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
  return files.flatMap((file) => readFileSync(file, 'utf8').match(/^.*\S.*$/gm) ?? []).length
}

/** proc_pid_stat(5): the parent, and the times in user and system mode, its own and of its children that have ended. */
const STAT = /^(\d+) \(.*\) \S (\d+) (?:\S+ ){9}((?:\d+ ){4})/gm

/** Clock ticks of a second (sysconf(3), `_SC_CLK_TCK`). */
const TICKS = 100

/** These processes and all below them. */
function processesOf(roots: readonly { readonly pid?: number | undefined }[]): Pick<Running, 'cpu' | 'kill'> {
  const tree = () => {
    const { stdout } = spawnSync('sh', ['-c', 'cat /proc/[0-9]*/stat'], { encoding: 'utf8' })
    const all = [...stdout.matchAll(STAT)].map(([, pid = '', parent = '', times = '']) => ({ pid, parent, times }))
    const from = (pid: string): typeof all => [
      ...all.filter((each) => each.pid === pid),
      ...all.filter(({ parent }) => parent === pid).flatMap((child) => from(child.pid)),
    ]
    return roots.flatMap(({ pid }) => from(String(pid)))
  }
  return {
    cpu: () => tree().reduce((sum, { times }) => sum + ticksIn(times), 0) / TICKS,
    async kill() {
      for (const { pid } of tree()) spawnSync('kill', ['-9', pid])
      await until(() => tree().length === 0)
    },
  }
}

const ticksIn = (times: string) => times.split(' ').reduce((sum, each) => sum + Number(each), 0)
