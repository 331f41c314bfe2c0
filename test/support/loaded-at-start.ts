import type { Metafiles } from '../../infra/build.ts'

/** The files of a bundle that a function loads when it starts: its entry and the chunks that it imports at once. */
function filesAtStart(bundles: Metafiles, name: string): readonly string[] {
  const outputs = bundles[`functions/${name}.ts`]?.outputs ?? {}
  const pending = [`dist/${name}/index.mjs`]
  const seen = new Set<string>()
  for (const path of pending) {
    if (seen.has(path)) continue
    seen.add(path)
    const statics = outputs[path]?.imports.filter(({ kind }) => kind === 'import-statement') ?? []
    pending.push(...statics.map((imported) => imported.path))
  }
  return [...seen]
}

/** The source files in them. */
export function loadedAtStart(bundles: Metafiles, name: string): readonly string[] {
  const outputs = bundles[`functions/${name}.ts`]?.outputs ?? {}
  return filesAtStart(bundles, name).flatMap((path) => Object.keys(outputs[path]?.inputs ?? {}))
}

/** How much there is in them. */
export function bytesAtStart(bundles: Metafiles, name: string): number {
  const outputs = bundles[`functions/${name}.ts`]?.outputs ?? {}
  return filesAtStart(bundles, name).reduce((sum, path) => sum + (outputs[path]?.bytes ?? 0), 0)
}
