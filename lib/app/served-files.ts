import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { fail } from '../errors.ts'
import type { ServedFile } from '../http/served-file.ts'
import { app as publicApp } from './public.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
}

/** What the build has left beside the bundle, by name. */
const files = new Map(
  readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.gz'))
    .map((name) => [name.slice(0, -'.gz'.length), readFileSync(join(import.meta.dirname, name))]),
)

/** For functions that serve files as they are. */
export const app = { ...publicApp, fileOf }

/** @throws ServiceError `ENDPOINT_NOT_FOUND` for a name that there is no file of */
function fileOf(name = ''): ServedFile {
  const gzipped = files.get(name)
  if (!gzipped) throw fail('ENDPOINT_NOT_FOUND')
  return { type: TYPES[extname(name)] ?? 'text/plain; charset=utf-8', gzipped }
}
