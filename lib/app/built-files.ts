import type { Buffer } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { Html } from '../http/pages/html.ts'
import type { Asset, ServedFile } from '../http/served-file.ts'
import { makePublic } from './edge.ts'

/** JSON that the build inserts. */
declare const CONSOLE_ASSETS: string

/** The description of the API. @param folder where the build put it, beside the bundle */
export function readDescription(folder = import.meta.dirname): ServedFile {
  return { type: 'application/json', gzipped: readBuilt(folder, 'openapi.json') }
}

/** The reference of the API, as a part of a page. @param folder where the build put it, beside the bundle */
export function readReference(folder = import.meta.dirname): Html {
  return new Html(gunzipSync(readBuilt(folder, 'reference.html')).toString())
}

function readBuilt(folder: string, name: string): Buffer {
  return readFileSync(join(folder, `${name}.gz`))
}

/** For the files that pages load. */
export function makeAssets(assets = CONSOLE_ASSETS) {
  const byName: Readonly<Record<string, Asset>> = JSON.parse(assets)
  return { ...makePublic(), assets: new Map(Object.entries(byName)) }
}
