import { mkdtempSync, rmSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { buildConsole } from '../../../infra/console.ts'
import { writeServed } from '../../../infra/served-files.ts'
import { kept } from './kept.ts'

/** Pages share code with the service. */
const CONSOLE = ['web/**/*.*', 'lib/**/*.ts', 'infra/{console,supply/*}.ts', 'package-lock.json']

/** Gives sources that run as they are what the build of bundles puts into these. */
export async function standInForBuild(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-served-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const bundle of ['docs/openapi', 'docs/page']) writeServed(bundle, folder)
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context)
      if (!url.endsWith('/lib/app/built-files.ts')) return loaded
      return { ...loaded, source: `${loaded.source}`.replaceAll('import.meta.dirname', JSON.stringify(folder)) }
    },
  })
  const { manifest, assets } = await kept('console', CONSOLE, buildConsole)
  const names = JSON.stringify(manifest)
  Object.assign(globalThis, {
    CONSOLE_MANIFEST: names,
    ERROR_PAGE_MANIFEST: names,
    CONSOLE_ASSETS: JSON.stringify(assets),
  })
}
