import { type ChildProcess, execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

/** An image of its own beside one that somebody has built. */
const NAME = `gatehouse:test-${process.pid}`
const BUILDAH = { ...process.env, BUILDAH_ISOLATION: 'chroot' }
const MEGABYTE = 1_000_000

const hasBuildah = process.getuid?.() === 0 && spawnSync('buildah', ['version']).status === 0
if (!hasBuildah) {
  if (process.env['CI']) throw new Error('CI needs buildah, and to be root: apt-get install buildah')
  process.stderr.write('skipped: the tests of the image need buildah (apt-get install buildah), and to be root\n')
}

/** The configuration of an image, as far as it is looked at. */
interface Image {
  readonly Entrypoint: readonly string[]
  readonly Cmd: readonly string[]
  readonly Env: readonly string[]
  readonly User: string
  readonly WorkingDir: string
  readonly Healthcheck: { readonly Test: readonly string[] }
}

interface Ready {
  readonly http: string
  readonly users: readonly { readonly username: string; readonly password: string; readonly role: string }[]
}

/** The starters of containers, with the first process in each, whose end ends all others there. */
const running = new Map<ChildProcess, number>()
let image: Image
let container: string
let root: string

beforeAll(async () => {
  await promisify(execFile)('npm', ['run', '--silent', 'image', '--', 'local', NAME], {
    env: { ...process.env, CONTAINER_ENGINE: 'buildah' },
  })
  container = buildah('from', '--pull-never', NAME)
  image = JSON.parse(buildah('inspect', container)).Docker.config
  root = buildah('mount', container)
}, 1_800_000)

afterEach(async () => {
  const ended = [...running.keys()].map((child) => once(child, 'exit'))
  // A process whose user has changed does not end with its parent.
  for (const pid of running.values()) process.kill(pid, 'SIGKILL')
  await Promise.all(ended)
})

afterAll(() => {
  buildah('umount', container)
  buildah('rm', container)
  buildah('rmi', NAME)
})

function buildah(...options: readonly string[]): string {
  return execFileSync('buildah', options, { encoding: 'utf8', env: BUILDAH }).trim()
}

/**
 * What an engine does for a container: file systems of its own, of which none can be written, a network of its own, the
 * user and the environment of the image. Nothing that listens there can be reached from this machine.
 */
const CONTAINER = `
set -e
ip link set lo up
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mkdir -p "$ROOT/proc" "$ROOT/dev"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount -o remount,ro,bind "$ROOT"
exec env --ignore-environment "\${SETTINGS[@]}" \
  /usr/bin/unshare --root="$ROOT" --wd="$FOLDER" --setgid "$USER_ID" --setuid "$USER_ID" "$@"
`

/** @returns the run, and what calls it from a neighbor in its network */
async function start(settings: Readonly<Record<string, string>> = {}) {
  const { Env, Entrypoint, User, Cmd, WorkingDir } = image
  const set = [...Env, ...Object.entries(settings).map((pair) => pair.join('='))]
  const script = `SETTINGS=("\${@:1:${set.length}}"); shift ${set.length}\n${CONTAINER}`
  const child = spawn(
    'unshare',
    [
      ...['--mount', '--net', '--pid', '--fork', '--kill-child', 'bash', '-c', script, 'container'],
      ...[...set, ...Entrypoint, ...Cmd, '--json'],
    ],
    {
      env: { ...process.env, ROOT: root, FOLDER: WorkingDir, USER_ID: User.split(':')[0] },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  child.once('exit', () => running.delete(child))
  const began = performance.now()
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const seconds = (performance.now() - began) / 1000
  const ready: Ready = JSON.parse(line)
  const pid = innermost(child.pid ?? 0)
  running.set(child, Number(pid))
  const neighbor = (program: string, ...options: readonly string[]) =>
    promisify(execFile)('nsenter', ['--net', '--target', pid, program, ...options])
  return { child, pid: Number(pid), ready, seconds, neighbor }
}

/** The process that a chain of starters has started at last. */
function innermost(pid: number): string {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  return children[0] === '' ? String(pid) : (children[0] ?? '')
}

describe.skipIf(!hasBuildah)('the image of the local run', () => {
  it('has at most 250 MB of files, and 150 MB in compressed layers', () => {
    expect(bytesOf(root)).toBeLessThan(250 * MEGABYTE)
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-layers-'))
    try {
      buildah('push', '--quiet', NAME, `oci:${folder}`)
      expect(bytesOf(folder)).toBeLessThan(150 * MEGABYTE)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })

  it('runs without a disk as nobody, is healthy by its own check, and ends on SIGTERM', async () => {
    const { child, pid, ready, seconds, neighbor } = await start()
    process.stderr.write(`ready after ${seconds.toFixed(1)} s\n`)
    const [, ...check] = image.Healthcheck.Test
    await neighbor('chroot', root, ...check)
    expect(ready.http).toBe('http://127.0.0.1:3000')
    const ended = once(child, 'exit')
    process.kill(pid, 'SIGTERM')
    expect(await ended).toEqual([0, null])
  })

  it('serves clients in Node, Python and Java, by the name that BASE_URL has', async () => {
    const { ready, neighbor } = await start()
    const { username, password } = ready.users.find(({ role }) => role === 'ROLE_ADMIN') ?? {
      username: '',
      password: '',
    }
    const given = [ready.http, username, password] as const
    const answers = await Promise.all([
      neighbor(process.execPath, 'quality/nightly/clients/ci.ts', ...given),
      neighbor('python3', 'quality/nightly/clients/ci.py', ...given),
      neighbor('java', 'quality/nightly/clients/Ci.java', ...given),
    ])
    expect(answers.map(({ stdout }) => stdout.trim())).toEqual(['401 200', '401 200', '401 200'])
  })

  it('runs twice side by side, each with its own data, and is as at the start after a reset', async () => {
    const runs = await Promise.all([start(), start()])
    const [one, other] = runs
    expect(await addUser(one)).toBe('201')
    expect(await logsIn(one)).toBe('200')
    expect(await logsIn(other)).toBe('401')
    await one.neighbor('curl', '-s', '--fail', '-X', 'POST', `${one.ready.http}/lab/reset`)
    expect(await logsIn(one)).toBe('401')
  })
})

type Run = Awaited<ReturnType<typeof start>>

const NEW = { username: 'new-user', password: 'correct horse battery' }

/** The status of a call of curl from the network of the run. */
async function statusOf({ neighbor }: Run, ...options: readonly string[]): Promise<string> {
  return (await neighbor('curl', '-s', '-o', '/dev/null', '-w', '%{http_code}', ...options)).stdout
}

const form = (fields: object) =>
  Object.entries(fields).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`])

const logsIn = (run: Run) => statusOf(run, ...form(NEW), `${run.ready.http}/api/auth/login`)

async function addUser(run: Run): Promise<string> {
  const { http, users } = run.ready
  const admin = users.find(({ role }) => role === 'ROLE_ADMIN')
  const { username, password } = admin ?? NEW
  const { stdout } = await run.neighbor('curl', '-s', ...form({ username, password }), `${http}/api/auth/login`)
  const headers = [`authorization: Bearer ${JSON.parse(stdout).token}`, 'content-type: application/json']
  const body = JSON.stringify({ ...NEW, role: 'ROLE_USER' })
  return statusOf(run, ...headers.flatMap((header) => ['-H', header]), '-d', body, `${http}/api/users`)
}

/** What the files of a folder hold, without what is mounted there. */
function bytesOf(folder: string): number {
  return Number(
    execFileSync('du', ['--bytes', '--summarize', '--one-file-system', folder], { encoding: 'utf8' }).split('\t')[0],
  )
}
