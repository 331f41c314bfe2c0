import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { type BuildContext, context, type Metafile } from 'esbuild'
import { type Bundle, bundleOptions } from '../../infra/build.ts'
import { newFolder, SOURCES } from '../../infra/builds.ts'
import { servedSources, writeServed } from '../../infra/served-files.ts'
import { folderOf } from '../../infra/supply/packages.ts'
import { HANDLERS } from '../../lib/deliver/handler-file.ts'

interface Build {
  readonly code: string
  /** The files of this project that it was built from. */
  readonly files: readonly string[]
  /** Writes it into a folder of its own. @returns the path of `index.mjs` */
  write(): string
}

/** The folder of the pages' scripts: it changes when one is added or removed. */
export const PAGES = 'web/pages'

/** How many versions of a bundle stay on the disk, because the loaded one imports some parts later. */
const KEPT = 3

const inMemory = (bundle: Bundle) => ({ ...bundleOptions(bundle), write: false }) as const

const folder = newFolder()

/** All files that a bundle may be built from. */
export function candidates(): readonly string[] {
  return [...globSync([...SOURCES, PAGES, 'localstack/**/*.*']), ...handlerPlaces()]
}

/**
 * Bundles the present sources at each call, with the options of the build.
 * @throws esbuild's BuildFailure
 */
export function builderOf(bundle: Bundle): () => Promise<Build> {
  const placeOf = (version: number) => join(folder, bundle.outdir, String(version))
  let builder: BuildContext<ReturnType<typeof inMemory>> | undefined
  let version = 0

  return async () => {
    // Source maps name their sources relative to this folder; every version is as deep.
    builder ??= await context(inMemory({ ...bundle, outdir: placeOf(0) }))
    const { outputFiles, metafile } = await builder.rebuild()
    return {
      code: outputFiles.map(({ path, text }) => (path.endsWith('.mjs') ? text : '')).join('\n'),
      files: [...ownFiles(metafile), ...servedSources(bundle.outdir), ...teamFiles(metafile)],
      write() {
        version += 1
        const place = placeOf(version)
        mkdirSync(place, { recursive: true })
        for (const { path, contents } of outputFiles) writeFileSync(join(place, basename(path)), contents)
        writeServed(bundle.outdir, place)
        rmSync(placeOf(version - KEPT), { recursive: true, force: true })
        return join(place, 'index.mjs')
      },
    }
  }
}

/** The files of this project in a bundle, without packages and without the modules of plugins. */
export function ownFiles({ inputs }: Metafile): readonly string[] {
  return Object.keys(inputs).filter((file) => isOwn(file) && !file.includes(':'))
}

/** A bundle with the team's configuration also contains the events of the team's code. */
function teamFiles({ inputs }: Metafile): readonly string[] {
  return Object.hasOwn(inputs, 'lib/app/team.ts') ? handlerPlaces() : []
}

/** The files of handlers, and the folders that change when one is added or removed. */
export function handlerPlaces(): readonly string[] {
  return [HANDLERS, ...globSync(`${HANDLERS}/{*,*/*}`)]
}

function isOwn(file: string): boolean {
  return folderOf(file) === undefined
}
