import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { createInterface } from 'node:readline'
import { runPython } from '../../test/support/python.ts'

/** What a watcher was told, and how its streams ended. */
export interface Watcher {
  readonly name: string
  /** How often each event was told. */
  readonly told: ReadonlyMap<string, number>
  readonly ends: readonly string[]
}

interface Line {
  readonly watcher: number
  readonly event?: string
  readonly end?: string
}

interface Plan {
  readonly python: string
  /** Where the stubs are to be. */
  readonly folder: string
  readonly address: string
  readonly token: string
  readonly streams: number
}

/** Watchers of another implementation of gRPC, in a process of their own. Settles when all of them watch. */
export async function startPythonWatchers({ python, folder, address, token, streams }: Plan) {
  const image = join(folder, 'image.binpb')
  execFileSync('node_modules/.bin/buf', ['build', 'proto', '--as-file-descriptor-set', '-o', image])
  await runPython(python, 'grpc_stubs.py', { image, folder, files: globSync('**/*.proto', { cwd: 'proto' }) })
  const watchers = Array.from({ length: streams }, (_, index) => ({
    name: `python3-grpcio ${index + 1}`,
    told: new Map<string, number>(),
    ends: [] as string[],
    watches: Promise.withResolvers<void>(),
  }))
  const child = spawn(python, [join(import.meta.dirname, 'watch.py')], {
    env: { PATH: env['PATH'], PYTHONDONTWRITEBYTECODE: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { watcher: index, event, end }: Line = JSON.parse(line)
    const watcher = watchers[index]
    watcher?.watches.resolve()
    if (event !== undefined) watcher?.told.set(event, (watcher.told.get(event) ?? 0) + 1)
    if (end !== undefined) watcher?.ends.push(end)
  })
  child.stdin.write(`${JSON.stringify({ stubs: folder, address, authorization: `Bearer ${token}`, streams })}\n`)
  await Promise.all(watchers.map(({ watches }) => watches.promise))
  return {
    watchers: watchers as readonly Watcher[],
    async stop() {
      child.stdin.end()
      await ended
    },
  }
}
