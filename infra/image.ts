/**
 * `npm run image`: builds the image of the companion container with the engine that is there, and says how large it is;
 * `npm run image -- local` that of the whole local run. A further word names it otherwise. CONTAINER_ENGINE chooses among
 * several engines.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process, { argv, env, execPath, exit, stderr, stdout } from 'node:process'

const [isLocal, ...names] = argv[2] === 'local' ? [true, ...argv.slice(3)] : [false, ...argv.slice(2)]
const [DOCKERFILE, usual] = isLocal
  ? ['localstack/Dockerfile', 'gatehouse']
  : ['infra/adapter/Dockerfile', 'gatehouse-adapter']

/** How an engine builds. The usual format of two of them has no health check. */
const BUILD: Readonly<Record<string, readonly string[]>> = {
  docker: ['build'],
  podman: ['build', '--format', 'docker'],
  buildah: ['build', '--format', 'docker'],
}

/** The runtime image has Node and its libraries; the build image adds npm and its settings, and a shell. */
const STAND_INS = `
FROM scratch AS runtime
COPY runtime/ /
FROM scratch AS shell
COPY shell/ /
FROM runtime AS build
COPY build/ /
COPY shell/bin/busybox /bin/sh
ENV PATH=/nodejs/bin NODE_EXTRA_CA_CERTS=/authorities.pem npm_config_registry=${env['npm_config_registry'] ?? 'https://registry.npmjs.org/'}
`

const engine = engineHere()
// Works where no runtime may make cgroups.
if (engine === 'buildah') env['BUILDAH_ISOLATION'] ??= 'chroot'
const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
const revision = output('git', 'describe', '--always', '--dirty', '--abbrev=40', '--exclude=*')
const name = names[0] ?? `${usual}:${version}`
build('.', name, ['--file', DOCKERFILE, ...argumentsOf({ ...standIns(), VERSION: version, REVISION: revision })])
stdout.write(`${name}, ${output(engine, 'images', '--format', '{{.Size}}', name)}, of ${revision} by ${engine}\n`)

function engineHere(): string {
  const { CONTAINER_ENGINE: chosen } = env
  const names = Object.keys(BUILD).filter((each) => !chosen || each === chosen)
  const found = names.find((each) => spawnSync(each, ['version'], { stdio: 'ignore' }).status === 0)
  if (found !== undefined) return found
  return end(
    chosen ? `${chosen} does not answer, or is no engine known here` : 'Neither docker nor podman nor buildah answers',
  )
}

function end(reason: string): never {
  stderr.write(`${reason}\n`)
  exit(1)
}

function output(program: string, ...options: readonly string[]): string {
  return execFileSync(program, options, { encoding: 'utf8' }).trim()
}

/** Sends the engine's output to standard error. @returns whether it succeeded */
function succeeds(...options: readonly string[]): boolean {
  return spawnSync(engine, options, { stdio: ['ignore', 2, 2] }).status === 0
}

function build(context: string, tag: string, options: readonly string[]): void {
  if (!succeeds(...(BUILD[engine] ?? []), '--tag', tag, ...options, context)) exit(1)
}

function argumentsOf(values: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(values).flatMap(([key, value]) => ['--build-arg', `${key}=${value}`])
}

/** Replaces the base images of the Dockerfile, by build argument: only with buildah, where no registry has them. */
function standIns(): Readonly<Record<string, string>> {
  const named = [...readFileSync(DOCKERFILE, 'utf8').matchAll(/^ARG \w+_IMAGE=(\S+)$/gm)]
  if (engine !== 'buildah' || named.every(([, image = '']) => succeeds('pull', image))) return {}
  const { npm_execpath: npm, npm_config_cafile: authorities, NODE_EXTRA_CA_CERTS: more } = env
  if (!npm) end('Without a registry it takes the npm that starts it: npm run image')
  stderr.write("The base images cannot be had. This machine's Node takes their place: do not deploy this image.\n")
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-image-'))
  const targets = ['runtime', 'build', ...(isLocal ? ['shell'] : [])]
  const images = targets.map((target) => [target, `localhost/gatehouse-base:${target}`] as const)
  process.once('exit', () => {
    rmSync(folder, { recursive: true })
    succeeds('rmi', ...images.map(([, image]) => image))
  })
  const libraries = output('ldd', execPath).match(/\/\S+/g) ?? []
  for (const library of libraries) copy(library, `${folder}/runtime${library}`)
  copy(execPath, `${folder}/runtime/nodejs/bin/node`)
  copy(authorities || more || '/dev/null', `${folder}/build/authorities.pem`)
  cpSync(join(dirname(npm), '..'), `${folder}/build/npm`, { recursive: true })
  mkdirSync(`${folder}/build/nodejs/bin`, { recursive: true })
  writeFileSync(`${folder}/build/nodejs/bin/npm`, "#!/nodejs/bin/node\nrequire('/npm/bin/npm-cli.js')\n", {
    mode: 0o755,
  })
  writeFileSync(`${folder}/Dockerfile`, STAND_INS)
  copy(realpathSync('/bin/sh'), `${folder}/shell/bin/busybox`)
  for (const [target, image] of images) build(folder, image, ['--file', `${folder}/Dockerfile`, '--target', target])
  return Object.fromEntries(images.map(([target, image]) => [`${target.toUpperCase()}_IMAGE`, image]))
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  copyFileSync(from, to)
}
