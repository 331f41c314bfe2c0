import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { digestOf } from '../../../infra/builds.ts'

/** What takes seconds to make from some files: it is kept until one of them has changed. */
export async function kept<T>(name: string, sources: readonly string[], make: () => Promise<T>): Promise<T> {
  const file = `node_modules/.cache/gatehouse/${name}.json`
  const digest = digestOf(globSync(sources))
  const found = read<T>(file)
  if (found?.digest === digest) return found.made
  const made = await make()
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify({ digest, made }))
  return made
}

function read<T>(file: string): { readonly digest: string; readonly made: T } | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
