import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const WEB = join(import.meta.dirname, '../web')

/** The sprite of symbols. */
export function sprite(): string {
  return readFileSync(join(WEB, 'icons.svg'), 'utf8')
}

/** The console's style sheet. */
export const STYLE = join(WEB, 'style.css')

/** Bundles a style sheet when it is first asked for. */
export function styleSheet(path: string): () => Promise<string> {
  let bundled: Promise<string> | undefined
  return () => {
    bundled ??= bundle(path)
    return bundled
  }
}

async function bundle(path: string): Promise<string> {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({ entryPoints: [path], bundle: true, minify: true, write: false })
  return outputFiles.map(({ text }) => text).join('')
}
