import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { folderOf } from './supply/packages.ts'

/** The files that functions serve from beside their code, by the folder of their bundle. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'docs/openapi': ['docs/openapi.json'],
  'docs/asset': [
    'node_modules/swagger-ui-dist/swagger-ui-bundle.js',
    'node_modules/swagger-ui-dist/swagger-ui-bundle.js.LICENSE.txt',
    'node_modules/swagger-ui-dist/swagger-ui.css',
    'node_modules/swagger-ui-dist/LICENSE',
    'node_modules/swagger-ui-dist/NOTICE',
    'web/docs/swagger-ui-init.js',
  ],
}

/** The folders of the packages that those files come from. */
export const SERVED_PACKAGES: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(FILES).map(([bundle, files]) => [bundle, [...new Set(files.flatMap((file) => folderOf(file) ?? []))]]),
)

/** The files that a function serves from beside its code. @param bundle the folder of its bundle in a build */
export function servedFiles(bundle: string): readonly string[] {
  return FILES[bundle] ?? []
}

/** Puts files into a folder, compressed. */
export function compressFiles(files: readonly string[], folder: string): void {
  for (const file of files) writeFileSync(`${folder}/${basename(file)}.gz`, gzipSync(readFileSync(file)))
}
